import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../../database/statements/bytewise.js';

/** What is sent of an event, once for all webhooks that are to be sent it. It is kept while a delivery needs it. */
@Entity('webhook_events')
@Index('webhook_events_of_tenant', ['tenantId', 'eventId', 'octets'])
export class WebhookEventEntity {
  @PrimaryColumn('varchar', { name: 'event_id', length: 64, ...BYTEWISE })
  eventId!: string;

  /** Whose webhooks are sent it. */
  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** Of the body. */
  @Column('integer')
  octets!: number;

  /** JSON, octet by octet. */
  @Column('text')
  body!: string;
}
