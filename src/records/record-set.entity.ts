import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/** Records with one owner name and type. Every change of them updates the row. An empty set is not served. */
@Entity('record_sets', { withoutRowid: true })
@Index('record_sets_id', ['zoneId', 'id'], { unique: true })
export class RecordSetEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** `DomainName.key` of the owner name. */
  @PrimaryColumn('varchar', { name: 'owner_key', length: 765, ...BYTEWISE })
  ownerKey!: string;

  @PrimaryColumn('varchar', { length: 16, ...BYTEWISE })
  type!: string;

  /** UUID, stable while the set exists. */
  @Column('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** Owner name as first sent. */
  @Column('varchar', { length: 1020 })
  name!: string;

  /**
   * Seconds, smallest ttl of the records (RFC 2181 §5.2); `null`: TTL of the zone. In an empty set, the ttl of its next
   * records.
   */
  @Column('integer', { nullable: true })
  ttl!: number | null;

  /** Set through version 2; `null`: the set shows the description of its oldest record. */
  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** Starts at 1; each change of the set adds one. */
  @Column('bigint')
  version!: number;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at', nullable: true })
  updatedAt!: number | null;

  @Column('integer', { name: 'record_count' })
  recordCount!: number;

  /** Sum of the RDATA octets of the records. */
  @Column('integer')
  octets!: number;

  /** Zone serial of the last change of the set; `null` for sets older than this column. */
  @Column('bigint', { nullable: true })
  serial!: number | null;

  /** `SetAnnotations` as JSON; `null` if none. Annotations keep an empty set. */
  @Column('text', { nullable: true })
  annotations!: string | null;

  /** `Labels` as JSON; `null`: none. Triggers copy them into `record_set_labels`. */
  @Column('text', { nullable: true })
  labels!: string | null;
}

/** Description of a set: its own, otherwise that of its first record. `records` are in order of creation. */
export function descriptionOf(
  set: Pick<RecordSetEntity, 'description'>,
  records: readonly { readonly description: string | null }[],
): string | null {
  return set.description ?? records[0]?.description ?? null;
}

export interface SetKey {
  readonly ownerKey: string;
  readonly type: string;
}

const CREATOR_KEY_COLUMN = { length: 36, primaryKeyConstraintName: 'record_set_creators_key', ...BYTEWISE } as const;

/** Creator of a record set in a shared zone. All other sets belong to the zone owner. */
@Entity('record_set_creators', { withoutRowid: true })
@Index('record_set_creators_of_tenant', ['tenantId', 'zoneId'])
@Index('record_set_creators_by_set', ['recordSetId'])
export class RecordSetCreatorEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', ...CREATOR_KEY_COLUMN })
  zoneId!: string;

  @PrimaryColumn('varchar', { name: 'record_set_id', ...CREATOR_KEY_COLUMN })
  recordSetId!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;
}
