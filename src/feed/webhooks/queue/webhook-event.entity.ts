import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../../database/statements/bytewise.js';

/** What an event is made of when it is sent, once for all webhooks that are to be sent it. It is kept while a delivery needs it. */
@Entity('webhook_events')
@Index('webhook_events_of_tenant', ['tenantId', 'eventId', 'octets'])
export class WebhookEventEntity {
  @PrimaryColumn('varchar', { name: 'event_id', length: 64, ...BYTEWISE })
  eventId!: string;

  /** Whose webhooks are sent it. */
  @Column('varchar', { name: 'tenant_id', length: 255, ...BYTEWISE })
  tenantId!: string;

  /** Of the content. */
  @Column('integer')
  octets!: number;

  /** As `queued-message.ts` writes it. */
  @Column('text')
  content!: string;
}
