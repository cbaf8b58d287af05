import { Column, Entity, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../../database/statements/bytewise.js';

/** What is stored in `webhook_events` for a tenant: a sum that is written with the events. */
@Entity('webhook_tenants')
export class WebhookTenantEntity {
  @PrimaryColumn('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('bigint', { default: 0 })
  octets!: number;
}
