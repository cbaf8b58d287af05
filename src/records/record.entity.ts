import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';
import type { RecordSnapshot } from '../plugins/change-listener.js';

/**
 * The condition of the index `records_alias`. With `type = 'ALIAS'`, SQLite would compile every statement with `type = ?` again at
 * each execution, to find out whether that index helps.
 */
export function isAliasSql(type: string): string {
  return `${type} IN ('ALIAS', 'ALIAS')`;
}

/** A record. The key keeps the records of a zone together in order of creation, as lists show them. */
@Entity('records', { withoutRowid: true })
@Index('records_alias', ['zoneId', 'ownerKey'], { where: isAliasSql('type') })
@Index('records_expiry', ['expiresAt', 'zoneId', 'id'], { where: 'expires_at IS NOT NULL' })
@Index('records_fingerprint', ['zoneId', 'ownerKey', 'type', 'fingerprint'], { unique: true })
export class RecordEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** UUIDv7 that grows with the changes of the zone. */
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** Owner name as sent. */
  @Column('varchar', { length: 1020 })
  name!: string;

  /** `DomainName.key` of the owner name. */
  @Column('varchar', { name: 'owner_key', length: 765, ...BYTEWISE })
  ownerKey!: string;

  @Column('varchar', { length: 16, ...BYTEWISE })
  type!: string;

  /** Value as sent. */
  @Column('text')
  data!: string;

  @Column('integer', { nullable: true })
  priority!: number | null;

  @Column('integer', { nullable: true })
  ttl!: number | null;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** RDATA in hexadecimal: both databases store and order it alike. */
  @Column('text')
  rdata!: string;

  /** Digest of the canonical RDATA: a unique key of bounded size finds duplicates in any notation. */
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

export function octetsOf({ rdata }: Pick<RecordEntity, 'rdata'>): number {
  return rdata.length / 2;
}

/** Lists each field: an import creates one for each record, and spreading makes a large object. */
export function snapshotOf(record: RecordEntity): RecordSnapshot {
  const snapshot = lastingSnapshotOf(record);
  // Few records have it, so other journal rows omit it.
  return record.expiresAt === null ? snapshot : { ...snapshot, expiresAt: record.expiresAt };
}

function lastingSnapshotOf(record: RecordEntity): RecordSnapshot {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    data: record.data,
    priority: record.priority,
    ttl: record.ttl,
    description: record.description,
    rdata: record.rdata,
    version: record.version,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
