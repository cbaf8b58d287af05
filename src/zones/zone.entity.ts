import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';
import type { SqlType } from '../database/transaction.js';

/** A primary zone has its own records, a secondary zone those of its primaries. */
export type ZoneType = 'PRIMARY' | 'SECONDARY';

/** A zone. Its row is the lock that orders its changes, and has their counters. */
@Entity('zones')
@Index('zones_name_key', ['nameKey'], { unique: true })
@Index('zones_of_tenant', ['tenantId', 'id'])
@Index('zones_of_tenant_by_name', ['tenantId', 'name', 'id'])
@Index('zones_of_tenant_by_key', ['tenantId', 'nameKey'])
@Index('zones_of_tenant_by_ttl', ['tenantId', 'ttl', 'id'])
@Index('zones_secondary', ['tenantId', 'id'], { where: "type = 'SECONDARY'" })
// Indexes on expressions, which TypeORM does not support: a hash of the generation, name and email in lower case, and the
// time of the last update or -1.
@Index('zones_by_generation', { synchronize: false })
@Index('zones_of_tenant_by_prefix', { synchronize: false })
@Index('zones_of_tenant_by_email', { synchronize: false })
@Index('zones_of_tenant_by_update', { synchronize: false })
@Index('zones_by_update', { synchronize: false })
export class ZoneEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** As sent. */
  @Column('varchar', { length: 255 })
  name!: string;

  /** `DomainName.key`: case-insensitive, sorts a zone before all names below it. */
  @Column('varchar', { name: 'name_key', length: 255, ...BYTEWISE })
  nameKey!: string;

  @Column('varchar', { length: 255 })
  email!: string;

  @Column('integer')
  ttl!: number;

  /** Seconds; `null`: the ttl of the zone. */
  @Column('integer', { name: 'soa_ttl', nullable: true })
  soaTtl!: number | null;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** SOA serial, unsigned 32 bits (RFC 1982). */
  @Column('bigint')
  serial!: number;

  /** Number of the zone's latest journal row; numbers start at 1 without gaps. */
  @Column('bigint')
  version!: number;

  @Column('integer', { name: 'record_count' })
  recordCount!: number;

  @Column('integer', { name: 'record_set_count' })
  recordSetCount!: number;

  /** `Generation` as JSON: source of SOA and apex NS; `null` in old rows. */
  @Column('text', { nullable: true })
  generation!: string | null;

  /** `ApexNs` as JSON; `null`: the service's name servers. */
  @Column('text', { name: 'apex_ns', nullable: true })
  apexNs!: string | null;

  /** JSON: fields that an interface stores for its clients; `null`: none. */
  @Column('text', { name: 'kept_fields', nullable: true })
  keptFields!: string | null;

  @Column('varchar', { length: 9, default: 'PRIMARY', ...BYTEWISE })
  type!: ZoneType;

  /** JSON: addresses with or without a port; `null` for a primary zone. */
  @Column('text', { nullable: true })
  masters!: string | null;

  /** JSON: an object of texts; `null`: none. */
  @Column('text', { nullable: true })
  attributes!: string | null;

  /** `Labels` as JSON; `null`: none. Triggers copy them into `zone_labels`. */
  @Column('text', { nullable: true })
  labels!: string | null;

  /** Time of the last transfer of a secondary zone; `null` before the first. */
  @Column('bigint', { name: 'transferred_at', nullable: true })
  transferredAt!: number | null;

  /** The version of a signed zone that name servers get; `null`: the present one. */
  @Column('bigint', { name: 'published_version', nullable: true })
  publishedVersion!: number | null;

  /** The serial of a signed zone that name servers get. Each renewal of signatures raises it. */
  @Column('bigint', { name: 'published_serial', nullable: true })
  publishedSerial!: number | null;

  /** Latest time of a change of this zone: record ids and times only grow. */
  @Column('bigint', { name: 'changed_at' })
  changedAt!: number;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at', nullable: true })
  updatedAt!: number | null;
}

/** Typed by all fields, so that a new field cannot be forgotten. */
export const STORED_FIELDS: Readonly<Record<keyof ZoneEntity, readonly [column: string, type: SqlType]>> = {
  id: ['id', 'text'],
  tenantId: ['tenant_id', 'text'],
  name: ['name', 'text'],
  nameKey: ['name_key', 'text'],
  email: ['email', 'text'],
  ttl: ['ttl', 'integer'],
  soaTtl: ['soa_ttl', 'integer'],
  description: ['description', 'text'],
  serial: ['serial', 'bigint'],
  version: ['version', 'bigint'],
  recordCount: ['record_count', 'integer'],
  recordSetCount: ['record_set_count', 'integer'],
  generation: ['generation', 'text'],
  type: ['type', 'text'],
  masters: ['masters', 'text'],
  attributes: ['attributes', 'text'],
  labels: ['labels', 'text'],
  apexNs: ['apex_ns', 'text'],
  keptFields: ['kept_fields', 'text'],
  transferredAt: ['transferred_at', 'bigint'],
  publishedVersion: ['published_version', 'bigint'],
  publishedSerial: ['published_serial', 'bigint'],
  changedAt: ['changed_at', 'bigint'],
  createdAt: ['created_at', 'bigint'],
  updatedAt: ['updated_at', 'bigint'],
};
