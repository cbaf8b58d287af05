import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Changes of one zone that have not been told of as published: the latest, and the first of those behind the last that was. */
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

  /** Of the latest entry in the journal of the zone. */
  @Column('bigint')
  number!: number;

  @Column('bigint')
  serial!: number;

  @Column('bigint', { name: 'changed_at' })
  changedAt!: number;

  /** The same of a change before it, which the zone is behind with since then; where there is no other, of the latest. */
  @Column('bigint', { name: 'first_number' })
  firstNumber!: number;

  @Column('bigint', { name: 'first_serial' })
  firstSerial!: number;

  @Column('bigint', { name: 'first_changed_at' })
  firstChangedAt!: number;

  /** 1: it was told that the zone lags; 0. */
  @Column('integer', { name: 'is_lagging' })
  isLagging!: number;

  /** When it is looked at; below zero: at once. Whatever happens to the zone makes it another number. */
  @Column('bigint', { name: 'due_at' })
  dueAt!: number;
}
