import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Consecutive journal entries of one zone, in delivery order for the tenant; or one notice. */
@Entity('event_log', { withoutRowid: true })
@Index('event_log_zones', ['tenantId', 'zoneId', 'firstNumber'], { unique: true })
@Index('event_log_times', ['at'])
export class EventLogRowEntity {
  @PrimaryColumn('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** Position of the last event of the row. Positions of a tenant count from 1 without gaps. */
  @PrimaryColumn('bigint')
  position!: number;

  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** Journal number of the first entry, or `noticeNumber`. */
  @Column('bigint', { name: 'first_number' })
  firstNumber!: number;

  @Column('bigint')
  entries!: number;

  @Column('bigint')
  at!: number;

  /** `ZoneNotice` as JSON; `null` for journal entries. */
  @Column('text', { nullable: true })
  publication!: string | null;
}

/** Number of events of a tenant. Writers lock this row, so that positions become visible in order. */
@Entity('event_log_tenants', { withoutRowid: true })
export class EventLogTenantEntity {
  @PrimaryColumn('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('bigint', { name: 'last_position' })
  lastPosition!: number;
}
