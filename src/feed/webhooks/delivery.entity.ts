import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

export const DELIVERY_STATUSES = ['waiting', 'delivered', 'dead'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

@Entity('webhook_deliveries')
@Index('webhook_deliveries_key', ['webhookId', 'zoneId', 'number'], { unique: true })
@Index('webhook_deliveries_by_status', ['webhookId', 'status', 'id', 'octets'])
@Index('webhook_deliveries_waiting', ['webhookId', 'zoneId', 'number'], { where: "status = 'waiting'" })
@Index('webhook_deliveries_of_event', ['eventId', 'webhookId'], { where: "status <> 'delivered'" })
@Index('webhook_deliveries_by_time', ['status', 'settledAt'])
export class DeliveryEntity {
  @PrimaryColumn('varchar', { length: 36, ...BYTEWISE })
  id!: string;

  @Column('varchar', { name: 'webhook_id', length: 36, ...BYTEWISE })
  webhookId!: string;

  /** Empty for a test event. */
  @Column('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  /** Journal number, negative for a notice. Deliveries of a zone are sent in this order. */
  @Column('bigint')
  number!: number;

  /** The content is in `webhook_events`. */
  @Column('varchar', { name: 'event_id', length: 64, ...BYTEWISE })
  eventId!: string;

  @Column('varchar', { name: 'event_type', length: 64, ...BYTEWISE })
  eventType!: string;

  /** Size of the content; 0 after delivery. */
  @Column('integer', { default: 0 })
  octets!: number;

  @Column('varchar', { length: 9, ...BYTEWISE })
  status!: DeliveryStatus;

  @Column('integer')
  attempts!: number;

  @Column('bigint', { name: 'retry_until' })
  retryUntil!: number;

  /** Status code of the latest answer. */
  @Column('integer', { nullable: true })
  answer!: number | null;

  @Column('varchar', { length: 160, nullable: true })
  fault!: string | null;

  @Column('bigint', { name: 'created_at' })
  createdAt!: number;

  @Column('bigint', { name: 'attempted_at', nullable: true })
  attemptedAt!: number | null;

  /** When the delivery got its status. */
  @Column('bigint', { name: 'settled_at' })
  settledAt!: number;
}
