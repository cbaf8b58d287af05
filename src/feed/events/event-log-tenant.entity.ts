import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** How many events a tenant has had. Whoever adds some holds this row, so that positions are seen in their order. */
@Entity('event_log_tenants', { withoutRowid: true })
export class EventLogTenantEntity {
  @PrimaryColumn('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('bigint', { name: 'last_position' })
  lastPosition!: number;
}
