import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/** A record. The key keeps a zone's records together in the order of their creation, which is the order of lists. */
@Entity('records', { withoutRowid: true })
@Index('records_expiry', ['expiresAt', 'zoneId', 'id'], { where: 'expires_at IS NOT NULL' })
@Index('records_fingerprint', ['zoneId', 'ownerKey', 'type', 'fingerprint'], { unique: true })
export class RecordEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** A UUIDv7 that grows with the zone's changes. */
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** The owner name as sent. */
  @Column('varchar', { length: 1020 })
  name!: string;

  /** `DomainName.key` of the owner name. */
  @Column('varchar', { name: 'owner_key', length: 765, ...BYTEWISE })
  ownerKey!: string;

  @Column('varchar', { length: 16, ...BYTEWISE })
  type!: string;

  /** The value as sent. */
  @Column('text')
  data!: string;

  @Column('integer', { nullable: true })
  priority!: number | null;

  @Column('integer', { nullable: true })
  ttl!: number | null;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** RDATA in hexadecimal, the one binary-safe form that both databases store and order alike. */
  @Column('text')
  rdata!: string;

  /** Digest of the canonical RDATA, so that a unique key of bounded size finds duplicates however they are spelled. */
  @Column('varchar', { length: 32, ...BYTEWISE })
  fingerprint!: string;

  @Column('integer')
  version!: number;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at', nullable: true })
  updatedAt!: number | null;

  /** When the service removes it; `null`: never. */
  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;
}

/** How long the RDATA is. */
export function octetsOf({ rdata }: Pick<RecordEntity, 'rdata'>): number {
  return rdata.length / 2;
}
