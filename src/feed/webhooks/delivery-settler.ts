import { Injectable } from '@nestjs/common';
import { administrator } from '../../common/caller.js';
import { Clock, type Instant, SECOND } from '../../common/clock.js';
import { AuditTrail } from '../../database/audit/audit-trail.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import type { Attempt } from './delivery.repository.js';
import { DeliveryLedger } from './queue/delivery-ledger.js';
import { queueScope } from './queue/delivery-queue.js';
import {
  type ClaimedQueue,
  type NextDelivery,
  type QueueKey,
  WebhookQueueRepository,
} from './queue/webhook-queue.repository.js';
import { UsageDelta } from './queue/webhook-usage.repository.js';
import { DELAYS, GIVEN_UP } from './webhook-metrics.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhooksOptions } from './webhooks.options.js';

/** Time to store the result of a call, in seconds. */
const MARGIN = 5;
/** In seconds. */
const LONGEST_DELAY = 3600;
/** Maximum accepted `Retry-After`, in seconds. */
const LONGEST_RETRY_AFTER = 86_400;

export interface Ending extends Omit<Attempt, 'id' | 'attempts'> {
  readonly retryAfter: number | null;
  readonly isGone: boolean;
}

@Injectable()
export class DeliverySettler {
  constructor(
    private readonly queues: WebhookQueueRepository,
    private readonly ledger: DeliveryLedger,
    private readonly webhooks: WebhookRepository,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
  ) {}

  /** Returns the end of a claim for one call and the storing of its result. */
  claimUntil(now: Instant): Instant {
    return now + (this.options.limits.requestTimeout + MARGIN) * SECOND;
  }

  async first(queue: ClaimedQueue): Promise<NextDelivery | undefined> {
    return (await this.queues.first(queue)) ?? (await this.run(queue, (tx) => this.holdAndLook(tx, queue)));
  }

  release(queues: readonly ClaimedQueue[]): Promise<void> {
    return this.unitOfWork.run((tx) => this.queues.releaseAll(tx, queues, this.clock.now()), queueScope(''));
  }

  /** Stores the result of a delivery. Returns the next delivery to send now. */
  settle(
    queue: ClaimedQueue,
    { id, attempts: before, retryUntil, createdAt }: NextDelivery,
    { status, answer, fault, retryAfter, isGone }: Ending,
    isLastInARow: boolean,
  ): Promise<NextDelivery | undefined> {
    const now = this.clock.now();
    const isOver = status === 'waiting' && now >= retryUntil;
    const settled = isOver ? 'dead' : status;
    if (settled === 'delivered') DELAYS.of().observe((now - createdAt) / SECOND);
    if (settled === 'dead') GIVEN_UP.of('dead').add();
    const attempts = before + 1;
    return this.run(queue, async (tx) => {
      const isOurs = await this.queues.hold(tx, queue, this.claimUntil(now));
      const change = new UsageDelta();
      await this.ledger.settle(tx, change, { id, status: settled, attempts, answer, fault }, now);
      if (isGone) await this.disable(tx, queue.webhookId, now);
      const retryAt = Math.min(now + delayAfter(attempts, this.options.limits.firstRetry, retryAfter), retryUntil);
      const next = isOurs ? await this.goOn(tx, queue, settled === 'waiting' ? retryAt : null) : undefined;
      if (next !== undefined && isLastInARow) await this.queues.release(tx, queue, now);
      await this.ledger.write(tx, change);
      return isLastInARow ? undefined : next;
    });
  }

  /** Returns the next delivery of a locked queue, unless this one has to be retried. */
  private async goOn(tx: Transaction, queue: ClaimedQueue, retryAt: Instant | null): Promise<NextDelivery | undefined> {
    if (retryAt === null) return this.queues.nextOrEnd(tx, queue);
    await this.queues.release(tx, queue, retryAt);
    return undefined;
  }

  /** A queue is known to be empty only while it is locked. */
  private async holdAndLook(tx: Transaction, queue: ClaimedQueue): Promise<NextDelivery | undefined> {
    const isOurs = await this.queues.hold(tx, queue, this.claimUntil(this.clock.now()));
    return isOurs ? this.queues.nextOrEnd(tx, queue) : undefined;
  }

  /** Disables a webhook after 410 Gone (RFC 9110 §15.5.11). */
  private async disable(tx: Transaction, webhookId: string, now: Instant): Promise<void> {
    const tenantId = await this.webhooks.disableGone(tx, webhookId, now);
    if (tenantId === undefined) return;
    const details = { enabled: false, disabled_because: 'gone' };
    const act = {
      action: 'webhook.update',
      ownerId: tenantId,
      subject: { id: webhookId, name: null },
      details,
    } as const;
    await this.trail.record(tx, administrator('webhooks', 'webhooks', tenantId), [act]);
  }

  private run<T>({ zoneId }: QueueKey, work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(work, queueScope(zoneId));
  }
}

/** Doubles with each attempt, up to an hour, with a jitter of up to half the delay. */
function delayAfter(attempts: number, first: number, retryAfter: number | null): Instant {
  const longest = Math.min(first * 2 ** Math.min(attempts - 1, 20), LONGEST_DELAY);
  const delay = longest * (1 - Math.random() / 2);
  return Math.ceil(Math.max(delay, Math.min(retryAfter ?? 0, LONGEST_RETRY_AFTER)) * SECOND);
}
