import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/statements/bytewise.js';

/**
 * The records of one owner name and type, kept by every change of one of them. A set may be kept without records: it is not
 * served then.
 */
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

  /** A UUID, the same for as long as the set is there. */
  @Column('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  /** The owner name as it was first written. */
  @Column('varchar', { length: 1020 })
  name!: string;

  /**
   * Seconds: the smallest ttl that its records carry (RFC 2181 §5.2); `null`: none has one, the zone's is served. Without
   * records, what the next ones get.
   */
  @Column('integer', { nullable: true })
  ttl!: number | null;

  /** As version 2 gave it; `null`: the set is shown with that of its oldest record. */
  @Column('varchar', { length: 160, nullable: true })
  description!: string | null;

  /** 1 when the set comes to be, one more with each change in it. */
  @Column('bigint')
  version!: number;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'updated_at', nullable: true })
  updatedAt!: number | null;

  @Column('integer', { name: 'record_count' })
  recordCount!: number;

  /** The sum of the records' RDATA lengths in octets. */
  @Column('integer')
  octets!: number;

  /** Of the zone's change that the set came out of last; `null` for one of before that was written down. */
  @Column('bigint', { nullable: true })
  serial!: number | null;

  /** `SetAnnotations` as JSON; `null` where there are none. A set that has some is kept without records too. */
  @Column('text', { nullable: true })
  annotations!: string | null;
}

/**
 * The description of a set: its own, otherwise its first record's.
 * @param records in the order of their creation
 */
export function descriptionOf(
  set: Pick<RecordSetEntity, 'description'>,
  records: readonly { readonly description: string | null }[],
): string | null {
  return set.description ?? records[0]?.description ?? null;
}

/** A record set among those of its zone. */
export interface SetKey {
  readonly ownerKey: string;
  readonly type: string;
}
