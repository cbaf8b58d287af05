import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../../database/statements/bytewise.js';

const KEY = { length: 36, primaryKeyConstraintName: 'webhook_queues_key', ...BYTEWISE } as const;

/** That deliveries of a webhook for one zone wait. Whoever has claimed the row sends them, one after the other. */
@Entity('webhook_queues')
@Index('webhook_queues_due', ['nextAt', 'webhookId', 'zoneId'])
export class WebhookQueueEntity {
  @PrimaryColumn('varchar', { name: 'webhook_id', ...KEY })
  webhookId!: string;

  @PrimaryColumn('varchar', { name: 'zone_id', ...KEY })
  zoneId!: string;

  /** When the next attempt is due; of one that is claimed, until when it is. */
  @Column('bigint', { name: 'next_at' })
  nextAt!: number;

  @Column('varchar', { length: 36, nullable: true, ...BYTEWISE })
  claim!: string | null;
}
