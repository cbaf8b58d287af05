import { Injectable } from '@nestjs/common';
import { Clock, DAY, type Instant } from '../../common/clock.js';
import { Scheduler } from '../../background/scheduler.js';
import { MINUTE, type TaskHandle } from '../../background/background-task.js';
import { inBatches } from '../../background/in-batches.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DeliveryLedger } from './queue/delivery-ledger.js';
import { UsageChange } from './queue/usage-change.js';
import { WebhookQueueRepository } from './queue/webhook-queue.repository.js';
import { WebhookUsageRepository } from './queue/webhook-usage.repository.js';
import { WebhooksOptions } from './webhooks.options.js';

/** For how long deliveries are shown that have succeeded. */
const SHOWN: Instant = 600_000_000;

/** Removes what was delivered a while ago, dead letters that are too old, and what was for webhooks that are gone. */
@Injectable()
export class WebhooksCleanup {
  private readonly task: TaskHandle;

  constructor(
    private readonly ledger: DeliveryLedger,
    private readonly queues: WebhookQueueRepository,
    private readonly usage: WebhookUsageRepository,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
    unitOfWork: UnitOfWork,
    background: Scheduler,
  ) {
    this.task = background.add({
      name: 'webhooks.retention',
      every: MINUTE,
      failureMessages: {
        failing: 'Old deliveries of webhooks cannot be removed at the moment',
        recovered: 'Old deliveries of webhooks are removed again.',
      },
      run: inBatches(unitOfWork, (tx) => this.clean(tx)),
    });
  }

  /** Something can be removed that need not wait. */
  wake(): void {
    this.task.trigger();
  }

  private async clean(tx: Transaction): Promise<boolean> {
    const now = this.clock.now();
    const { deadLetterDays, retryTime } = this.options.limits;
    const dead = now - deadLetterDays * DAY;
    const change = new UsageChange();
    const removed = [
      await this.ledger.removeSettled(tx, change, 'delivered', now - SHOWN),
      await this.ledger.removeSettled(tx, change, 'dead', dead),
      // Of a webhook that has been disabled for as long.
      await this.ledger.removeSettled(tx, change, 'waiting', dead - retryTime * 1_000_000),
      await this.removeDeleted(tx, change),
    ];
    await this.ledger.write(tx, change);
    return removed.some((rows) => rows > 0);
  }

  /** Removes some of what is left of a webhook that has been deleted. Returns how many rows. */
  private async removeDeleted(tx: Transaction, change: UsageChange): Promise<number> {
    const webhookId = await this.usage.firstDeleted(tx);
    if (webhookId === undefined) return 0;
    const left = (await this.ledger.removeOf(tx, change, webhookId)) + (await this.queues.deleteSome(tx, webhookId));
    if (left > 0) return left;
    await this.usage.forget(tx, webhookId);
    // There may be another.
    return 1;
  }
}
