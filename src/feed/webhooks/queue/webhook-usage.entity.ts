import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../../database/statements/bytewise.js';

/**
 * What a webhook has in its queue: sums that are written with the deliveries, so that nobody has to count them. A table of its
 * own, because they change with every delivery.
 */
@Entity('webhook_usage')
@Index('webhook_usage_of_deleted', ['webhookId'], { where: 'deleted = 1' })
export class WebhookUsageEntity {
  @PrimaryColumn('varchar', { name: 'webhook_id', length: 36, ...BYTEWISE })
  webhookId!: string;

  /** Deliveries that wait. */
  @Column('integer', { default: 0 })
  waiting!: number;

  /** Dead letters. */
  @Column('integer', { default: 0 })
  dead!: number;

  /** Of both. */
  @Column('bigint', { default: 0 })
  octets!: number;

  /** 1: the webhook has been deleted, and what is left of it goes with the cleanup; or 0. */
  @Column('integer', { default: 0 })
  deleted!: number;
}
