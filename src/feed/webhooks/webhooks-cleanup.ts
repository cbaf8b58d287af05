import { Injectable } from '@nestjs/common';
import { Clock, DAY, type Instant } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import { DeliveryLedger } from './queue/delivery-ledger.js';
import { UsageDelta, WebhookUsageRepository } from './queue/webhook-usage.repository.js';
import { WebhookQueueRepository } from './queue/webhook-queue.repository.js';
import { WebhooksOptions } from './webhooks.options.js';

/** Retention of successful deliveries. */
const SHOWN: Instant = 600_000_000;

/** Task that deletes the rows of deleted webhooks. */
export const WEBHOOK_RETENTION = 'webhooks.retention';

@Injectable()
export class WebhooksCleanup {
  constructor(
    private readonly ledger: DeliveryLedger,
    private readonly queues: WebhookQueueRepository,
    private readonly usage: WebhookUsageRepository,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
  ) {}

  /** Returns whether more may remain. */
  async removeSome(tx: Transaction): Promise<boolean> {
    const now = this.clock.now();
    const { deadLetterDays, retryTime } = this.options.limits;
    const dead = now - deadLetterDays * DAY;
    const change = new UsageDelta();
    const removed = [
      await this.ledger.removeSettled(tx, change, 'delivered', now - SHOWN),
      await this.ledger.removeSettled(tx, change, 'dead', dead),
      // Deliveries of webhooks that stay disabled.
      await this.ledger.removeSettled(tx, change, 'waiting', dead - retryTime * 1_000_000),
      await this.removeDeleted(tx, change),
    ];
    await this.ledger.write(tx, change);
    return removed.some((rows) => rows > 0);
  }

  private async removeDeleted(tx: Transaction, change: UsageDelta): Promise<number> {
    const webhookId = await this.usage.firstDeleted(tx);
    if (webhookId === undefined) return 0;
    const left = (await this.ledger.removeOf(tx, change, webhookId)) + (await this.queues.deleteSome(tx, webhookId));
    if (left > 0) return left;
    await this.usage.forget(tx, webhookId);
    // Another deleted webhook may exist.
    return 1;
  }
}
