import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/** Whose the records of a zone are: the service's own, or those of other name servers, its masters. */
export type ZoneType = 'PRIMARY' | 'SECONDARY';

/** A zone. Its row is the lock that orders all changes of the zone, and it carries their counters. */
@Entity('zones')
@Index('zones_name_key', ['nameKey'], { unique: true })
@Index('zones_of_tenant', ['tenantId', 'id'])
@Index('zones_of_tenant_by_name', ['tenantId', 'name', 'id'])
@Index('zones_of_tenant_by_key', ['tenantId', 'nameKey'])
// Of expressions, which TypeORM cannot say: a hash of the generation, and the name in lower case.
@Index('zones_by_generation', { synchronize: false })
@Index('zones_of_tenant_by_prefix', { synchronize: false })
export class ZoneEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** As sent. */
  @Column('varchar', { length: 255 })
  name!: string;

  /** `DomainName.key`: compares without case and sorts a zone before everything below it. */
  @Column('varchar', { name: 'name_key', length: 255, ...BYTEWISE })
  nameKey!: string;

  @Column('varchar', { length: 255 })
  email!: string;

  @Column('integer')
  ttl!: number;

  /** Seconds; `null`: the SOA has the ttl of the zone. */
  @Column('integer', { name: 'soa_ttl', nullable: true })
  soaTtl!: number | null;

  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** Of the SOA record; unsigned 32 bits, compared as RFC 1982 says. */
  @Column('bigint')
  serial!: number;

  /** The number of the zone's latest journal row; rows are numbered from 1 without a gap. */
  @Column('bigint')
  version!: number;

  @Column('integer', { name: 'record_count' })
  recordCount!: number;

  @Column('integer', { name: 'record_set_count' })
  recordSetCount!: number;

  /** `Generation` as JSON: what SOA and apex NS are generated from; `null` until the service has written it down. */
  @Column('text', { nullable: true })
  generation!: string | null;

  /** `ApexNs` as JSON; `null` for a zone whose apex NS are those of the service's name servers. */
  @Column('text', { name: 'apex_ns', nullable: true })
  apexNs!: string | null;

  /** JSON: what an interface keeps of the zone for its clients, and nothing else reads; `null` where that is nothing. */
  @Column('text', { name: 'kept_fields', nullable: true })
  keptFields!: string | null;

  @Column('varchar', { length: 9, default: 'PRIMARY', ...BYTEWISE })
  type!: ZoneType;

  /** JSON, addresses with or without a port; `null` for a primary zone. */
  @Column('text', { nullable: true })
  masters!: string | null;

  /** JSON, an object of texts; `null` where there are none. */
  @Column('text', { nullable: true })
  attributes!: string | null;

  /** Of a secondary zone: when its records last came from a master; `null` until they have. */
  @Column('bigint', { name: 'transferred_at', nullable: true })
  transferredAt!: number | null;

  /** Of a signed zone: the version whose contents name servers are sent; `null` where they are sent what there is. */
  @Column('bigint', { name: 'published_version', nullable: true })
  publishedVersion!: number | null;

  /** Of a signed zone: the serial under which they are sent it. It moves with each renewal of signatures. */
  @Column('bigint', { name: 'published_serial', nullable: true })
  publishedSerial!: number | null;

  /** The latest instant that a change of this zone was given: record ids and times only ever grow. */
  @Column('bigint', { name: 'changed_at' })
  changedAt!: number;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at', nullable: true })
  updatedAt!: number | null;
}
