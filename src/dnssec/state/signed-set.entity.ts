import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** A set with its signatures. Its own records are kept here where the service makes them, otherwise they are in `records`. */
@Entity('signed_sets', { withoutRowid: true })
@Index('signed_sets_chain', ['zoneId', 'generation', 'chainKey'], { where: 'chain_key IS NOT NULL' })
@Index('signed_sets_due', ['zoneId', 'generation', 'dueAt'])
export class SignedSetEntity {
  @PrimaryColumn('varchar', {
    name: 'zone_id',
    length: 36,
    ...BYTEWISE,
    primaryKeyConstraintName: 'signed_sets_key',
  })
  zoneId!: string;

  @PrimaryColumn('bigint', { primaryKeyConstraintName: 'signed_sets_key' })
  generation!: number;

  /** `DomainName.key` of the owner name, which is written in lower case. */
  @PrimaryColumn('varchar', {
    name: 'owner_key',
    length: 765,
    ...BYTEWISE,
    primaryKeyConstraintName: 'signed_sets_key',
  })
  ownerKey!: string;

  /** Its code. */
  @PrimaryColumn('integer', { primaryKeyConstraintName: 'signed_sets_key' })
  type!: number;

  /** The same as `ownerKey` for NSEC and NSEC3, `null` for all else: the chain is walked by it. */
  @Column('varchar', { name: 'chain_key', length: 765, nullable: true, ...BYTEWISE })
  chainKey!: string | null;

  @Column('integer')
  ttl!: number;

  /** Of the set as it was signed. */
  @Column('varchar', { length: 24, ...BYTEWISE })
  digest!: string;

  /** Each in base64, with blanks between; empty where the records are those of the zone. */
  @Column('text')
  rdatas!: string;

  /** RDATA of RRSIG, in the same form. */
  @Column('text')
  signatures!: string;

  /** The tags of the keys, with commas between. */
  @Column('varchar', { name: 'signed_by', length: 64, ...BYTEWISE })
  signedBy!: string;

  /** In seconds since 1970, as signatures say it. */
  @Column('bigint', { name: 'expires_at' })
  expiresAt!: number;

  /** When it is signed again, in seconds since 1970. */
  @Column('bigint', { name: 'due_at' })
  dueAt!: number;
}
