import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import type { Instant } from '../../common/clock.js';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** The last observation of a parent zone. The row outlives its zone until `StaleParents` deleted the DS and signals of the zone. */
@Entity('zone_parents')
@Index('zone_parents_left', ['isLeft'])
@Index('zone_parents_mismatch', ['mismatchSince'])
export class ZoneParentEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('varchar', { name: 'name_key', length: 255, ...BYTEWISE })
  nameKey!: string;

  /** 1: the zone is deleted or unsigned. */
  @Column('integer', { name: 'is_left' })
  isLeft!: number;

  /** A `ParentObservation` as JSON. */
  @Column('text')
  sight!: string;

  @Column('bigint', { name: 'seen_at' })
  seenAt!: Instant;

  /** Since when all name servers of the parent have the awaited DS; `null`: they do not, or the zone waits for none. */
  @Column('bigint', { name: 'agreed_since', nullable: true })
  agreedSince!: Instant | null;

  /** The longest observed DS TTL of the wait, in seconds: caches keep the DS for that time. `null`: no DS observed. */
  @Column('bigint', { name: 'ds_ttl', nullable: true })
  dsTtl!: number | null;

  @Column('varchar', { name: 'notified_for', length: 24, nullable: true, ...BYTEWISE })
  notifiedFor!: string | null;

  /** Since when the parent has a DS of other keys only, so validation of the zone fails. */
  @Column('bigint', { name: 'mismatch_since', nullable: true })
  mismatchSince!: Instant | null;
}
