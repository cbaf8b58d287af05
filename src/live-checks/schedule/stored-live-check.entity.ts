import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** The last live check of a zone, and when the next one is due. */
@Entity('live_checks')
@Index('live_checks_due', ['nextAt', 'zoneId'])
@Index('live_checks_untold', ['eventAt', 'zoneId'], { where: 'event_at IS NOT NULL' })
export class StoredLiveCheckEntity {
  @PrimaryColumn('varchar', {
    name: 'zone_id',
    length: 36,
    ...BYTEWISE,
    primaryKeyConstraintName: 'live_checks_key',
  })
  zoneId!: string;

  /** `null`: not scheduled. */
  @Column('bigint', { name: 'next_at', nullable: true })
  nextAt!: number | null;

  /** `null`: not checked yet. */
  @Column('bigint', { name: 'checked_at', nullable: true })
  checkedAt!: number | null;

  @Column('integer', { name: 'is_complete' })
  isComplete!: number;

  @Column('integer')
  queries!: number;

  @Column('integer')
  errors!: number;

  @Column('integer')
  warnings!: number;

  @Column('integer')
  notices!: number;

  /** When the zone began to fail, or recovered; `null`: the event was told. */
  @Column('bigint', { name: 'event_at', nullable: true })
  eventAt!: number | null;

  /** `Failure` as JSON; `null`: not failing. */
  @Column('text', { nullable: true })
  failing!: string | null;

  /** JSON of the first findings. */
  @Column('text')
  findings!: string;
}
