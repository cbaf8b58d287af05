import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../database/bytewise.js';

/**
 * One accepted change. The journal is the single source of what happened to a zone and outlives it; `number` counts
 * each zone's changes from 1 without a gap.
 */
@Entity('journal', { withoutRowid: true })
export class JournalEntity {
  @PrimaryColumn('varchar', { name: 'domain_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @PrimaryColumn('bigint')
  number!: number;

  /** The zone's serial after the change. */
  @Column('bigint')
  serial!: number;

  /** `record.create`, `zone.delete`, … */
  @Column('varchar', { length: 32 })
  action!: string;

  /** The record or zone before the change as JSON; `null` when it was created. */
  @Column('text', { nullable: true })
  before!: string | null;

  /** The record or zone after the change as JSON; `null` when it was deleted. */
  @Column('text', { nullable: true })
  after!: string | null;

  /** Who asked, which differs from the owner when an admin acts for it. */
  @Column('varchar', { name: 'tenant_id', length: 255 })
  tenantId!: string;

  @Column('varchar', { name: 'request_id', length: 64 })
  requestId!: string;

  @Column('bigint')
  at!: number;
}
