import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** TypeORM writes into the options of a column, so spread them. */
const KEY = { primaryKeyConstraintName: 'signed_sets_key' } as const;

/** A record set with its signatures. `rdatas` is filled for generated sets only. */
@Entity('signed_sets', { withoutRowid: true })
@Index('signed_sets_chain', ['zoneId', 'generation', 'chainKey'], { where: 'chain_key IS NOT NULL' })
@Index('signed_sets_due', ['zoneId', 'generation', 'dueAt'])
export class SignedSetEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE, ...KEY })
  zoneId!: string;

  @PrimaryColumn('bigint', { ...KEY })
  generation!: number;

  /** `DomainName.key` of the owner name in lower case. */
  @PrimaryColumn('varchar', { name: 'owner_key', length: 765, ...BYTEWISE, ...KEY })
  ownerKey!: string;

  @PrimaryColumn('integer', { ...KEY })
  type!: number;

  /** `ownerKey` of NSEC and NSEC3, otherwise `null`: the index of the chain. */
  @Column('varchar', { name: 'chain_key', length: 765, nullable: true, ...BYTEWISE })
  chainKey!: string | null;

  @Column('integer')
  ttl!: number;

  /** The digest of the signed content (`digestOf`). */
  @Column('varchar', { length: 24, ...BYTEWISE })
  digest!: string;

  /** Base64 with blanks between; empty unless the set is generated. */
  @Column('text')
  rdatas!: string;

  /** RRSIG RDATA in base64 with blanks between. */
  @Column('text')
  signatures!: string;

  /** Key tags with commas between. */
  @Column('varchar', { name: 'signed_by', length: 64, ...BYTEWISE })
  signedBy!: string;

  /** In seconds since 1970. */
  @Column('bigint', { name: 'expires_at' })
  expiresAt!: number;

  /** When to renew the signatures, in seconds since 1970. */
  @Column('bigint', { name: 'due_at' })
  dueAt!: number;
}
