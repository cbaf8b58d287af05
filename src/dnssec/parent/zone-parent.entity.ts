import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Instant } from '../../common/clock.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** What was seen of a signed zone in its parent zone. The row outlives the zone until nothing of it is left in others. */
@Entity('zone_parents')
@Index('zone_parents_left', ['isLeft'])
@Index('zone_parents_mismatch', ['mismatchSince'])
export class ZoneParentEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { name: 'name_key', length: 255, ...BYTEWISE })
  nameKey!: string;

  /** 1: the zone is gone, or not signed any more. */
  @Column('integer', { name: 'is_left' })
  isLeft!: number;

  /** A `ParentObservation`. */
  @Column('text')
  sight!: string;

  @Column('bigint', { name: 'seen_at' })
  seenAt!: Instant;

  /** Since when all name servers of the parent are seen to have what is waited for; `null`: they do not, or nothing is. */
  @Column('bigint', { name: 'agreed_since', nullable: true })
  agreedSince!: Instant | null;

  /** The longest that a DS was given while that was waited for, in seconds: caches have it so long. `null`: none was seen. */
  @Column('bigint', { name: 'ds_ttl', nullable: true })
  dsTtl!: number | null;

  /** The digest of the CDS that the parent was told of last. */
  @Column('varchar', { name: 'notified_for', length: 24, nullable: true, ...BYTEWISE })
  notifiedFor!: string | null;

  /** Since when the parent has DS of other keys alone, with which nobody can validate the zone. */
  @Column('bigint', { name: 'mismatch_since', nullable: true })
  mismatchSince!: Instant | null;
}
