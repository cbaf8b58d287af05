import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../../database/statements/bytewise.js';

const KEY = { length: 36, primaryKeyConstraintName: 'webhook_queues_key', ...BYTEWISE } as const;

/** A queue of waiting deliveries for a webhook and zone. A process that claims the row sends them in order. */
@Entity('webhook_queues')
@Index('webhook_queues_due', ['nextAt', 'webhookId', 'zoneId'])
export class WebhookQueueEntity {
  @PrimaryColumn('varchar', { name: 'webhook_id', ...KEY })
  webhookId!: string;

  @PrimaryColumn('varchar', { name: 'zone_id', ...KEY })
  zoneId!: string;

  /** Time of the next attempt, or end of the claim. */
  @Column('bigint', { name: 'next_at' })
  nextAt!: number;

  @Column('varchar', { length: 36, nullable: true, ...BYTEWISE })
  claim!: string | null;
}

/** Content of an event, shared by all webhooks of a tenant. Exists while a delivery needs it. */
@Entity('webhook_events')
@Index('webhook_events_of_tenant', ['tenantId', 'eventId', 'octets'])
export class WebhookEventEntity {
  @PrimaryColumn('varchar', { name: 'event_id', length: 64, ...BYTEWISE })
  eventId!: string;

  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('integer')
  octets!: number;

  /** Written by `queued-message.ts`. */
  @Column('text')
  content!: string;
}

/** Size of the rows of a tenant in `webhook_events`, maintained with the events. */
@Entity('webhook_tenants')
export class WebhookTenantEntity {
  @PrimaryColumn('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  @Column('bigint', { default: 0 })
  octets!: number;
}

/** Maintained with deliveries. A separate table, because the counters change with every delivery. */
@Entity('webhook_usage')
@Index('webhook_usage_of_deleted', ['webhookId'], { where: 'deleted = 1' })
export class WebhookUsageEntity {
  @PrimaryColumn('varchar', { name: 'webhook_id', length: 36, ...BYTEWISE })
  webhookId!: string;

  @Column('integer', { default: 0 })
  waiting!: number;

  @Column('integer', { default: 0 })
  dead!: number;

  /** Size of both. */
  @Column('bigint', { default: 0 })
  octets!: number;

  /** 1: the webhook is deleted and the cleanup removes its rows; or 0. */
  @Column('integer', { default: 0 })
  deleted!: number;
}
