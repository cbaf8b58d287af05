import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Unpublished changes of one zone: the latest, and the first one after the last published change. */
@Entity('awaited_publications', { withoutRowid: true })
@Index('awaited_publications_due', ['dueAt', 'zoneId'])
export class AwaitedPublicationEntity {
  @PrimaryColumn('varchar', {
    name: 'zone_id',
    length: 36,
    ...BYTEWISE,
    primaryKeyConstraintName: 'awaited_publications_key',
  })
  zoneId!: string;

  @Column('bigint')
  number!: number;

  @Column('bigint')
  serial!: number;

  @Column('bigint', { name: 'changed_at' })
  changedAt!: number;

  @Column('bigint', { name: 'first_number' })
  firstNumber!: number;

  @Column('bigint', { name: 'first_serial' })
  firstSerial!: number;

  @Column('bigint', { name: 'first_changed_at' })
  firstChangedAt!: number;

  @Column('integer', { name: 'is_lagging' })
  isLagging!: number;

  /** Time of the next check; negative: now. Every write makes it a different number. */
  @Column('bigint', { name: 'due_at' })
  dueAt!: number;
}
