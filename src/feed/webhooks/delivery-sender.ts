import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { administrator } from '../../common/caller.js';
import { Clock, type Instant, SECOND, toUnixSeconds } from '../../common/clock.js';
import { causeOf } from '../../common/cause.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { AuditTrail } from '../../database/audit/audit-trail.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { secondsSince } from '../../observability/histogram.js';
import { delayAfter, type Ending, endingOf } from './calls/call-ending.js';
import { DeliveryLedger } from './queue/delivery-ledger.js';
import { queueScope } from './queue/delivery-queue.js';
import { bodyOf } from './queue/queued-message.js';
import { type QueueTurn, QueueTurns } from './queue/queue-turns.js';
import { signatureHeaders } from './calls/signature.js';
import type { TargetAnswer } from './calls/target-call.js';
import { TargetClient } from './calls/target-client.js';
import { TargetFault } from './calls/target-fault.js';
import { TargetLine } from './calls/target-line.js';
import { UsageChange } from './queue/usage-change.js';
import { ATTEMPTS, DELAYS, DURATIONS, GIVEN_UP } from './webhook-metrics.js';
import {
  type ClaimedQueue,
  type NextDelivery,
  type QueueKey,
  WebhookQueueRepository,
} from './queue/webhook-queue.repository.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhooksOptions } from './webhooks.options.js';

/** How many of a queue are sent before others of the webhook have their turn. */
const IN_A_ROW = 32;
/** How often it is looked for what other processes have added, and what is due again, in milliseconds. */
const EVERY = 1000;
/** What was under way when the service stops is written down in so many milliseconds, or comes again when its claim is over. */
const LAST_WRITES = 2000;
/** Beyond the time of a call, in which what became of it is written down; in seconds. */
const MARGIN = 5;

/**
 * Sends what waits (behaviour 19.10): of one zone to one webhook in its order, one after the other, and several zones and
 * webhooks at a time.
 */
@Injectable()
export class DeliverySender {
  private readonly warning = new ThrottledLogger();
  private readonly task: TaskHandle;
  private readonly underWay = new Set<Promise<void>>();
  /** What was under way when the service began to stop. */
  private readonly brokenOff: ClaimedQueue[] = [];

  constructor(
    private readonly turns: QueueTurns,
    private readonly queues: WebhookQueueRepository,
    private readonly ledger: DeliveryLedger,
    private readonly webhooks: WebhookRepository,
    private readonly target: TargetClient,
    private readonly unitOfWork: UnitOfWork,
    private readonly trail: AuditTrail,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
    background: Scheduler,
  ) {
    this.task = background.add({
      name: 'webhooks.calls',
      every: EVERY,
      runOnStart: true,
      failureMessages: { failing: 'Webhooks are not called at the moment', recovered: 'Webhooks are called again.' },
      run: (signal) => this.startDue(signal),
      shutdown: () => Promise.race([this.giveUp(), delay(LAST_WRITES, undefined, { ref: false })]),
    });
  }

  /** Something new waits. */
  wake(): void {
    this.task.trigger();
  }

  /** What was broken off is sent again by whoever comes next. One transaction for all: there may be hundreds. */
  private async giveUp(): Promise<void> {
    await Promise.all(this.underWay);
    if (this.brokenOff.length === 0) return;
    const now = this.clock.now();
    await this.unitOfWork
      .run((tx) => this.queues.releaseAll(tx, this.brokenOff, now), queueScope(''))
      .catch((error: unknown) =>
        this.warning.warn(`claims on queues of webhooks cannot be released: ${causeOf(error)}`),
      );
  }

  private async startDue(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const claimed = await this.turns.next({ now, until: this.claimUntil(now) }, signal);
    for (const turn of claimed) this.start(turn, signal);
    // There may be more.
    if (claimed.length > 0) this.wake();
  }

  private claimUntil(now: Instant): Instant {
    return now + (this.options.limits.requestTimeout + MARGIN) * SECOND;
  }

  private start({ queue, release }: QueueTurn, signal: AbortSignal): void {
    const sending = this.send(queue, signal)
      .catch((error: unknown) =>
        this.warning.warn(`the result of a webhook's call cannot be stored: ${causeOf(error)}`),
      )
      .finally(() => {
        this.underWay.delete(sending);
        release();
        this.wake();
      });
    this.underWay.add(sending);
  }

  private async send(queue: ClaimedQueue, signal: AbortSignal): Promise<void> {
    let delivery = (await this.queues.first(queue)) ?? (await this.run(queue, (tx) => this.holdAndLook(tx, queue)));
    const line = new TargetLine();
    try {
      for (let sent = 1; delivery !== undefined; sent += 1) {
        const ending = await this.attempt(delivery, line, signal);
        // Nobody knows what the target has made of it: it comes again, as if it had not been sent.
        if (ending === null) return void this.brokenOff.push(queue);
        delivery = await this.settle(queue, delivery, ending, sent === IN_A_ROW);
      }
    } finally {
      line.end();
    }
  }

  /** `null` where it was broken off because the service stops. */
  private async attempt(delivery: NextDelivery, line: TargetLine, signal: AbortSignal): Promise<Ending | null> {
    const start = performance.now();
    try {
      const answer = await this.call(delivery, line, signal);
      DURATIONS.of().observe(secondsSince(start));
      return endingOf(answer);
    } catch (error) {
      if (signal.aborted) return null;
      const { kind, message } = error instanceof TargetFault ? error : new TargetFault('failed', 'it cannot be called');
      ATTEMPTS.of(kind).add();
      return { status: 'waiting', answer: null, fault: message.slice(0, 160), retryAfter: null, isGone: false };
    }
  }

  private call(delivery: NextDelivery, line: TargetLine, signal: AbortSignal): Promise<TargetAnswer> {
    const { url, eventId, content, secret, formerSecret, formerUntil } = delivery;
    const body = bodyOf(content, this.options.sayMessage);
    const now = this.clock.now();
    const isFormerGood = formerSecret !== null && formerUntil !== null && now < formerUntil;
    const secrets = isFormerGood ? [secret, formerSecret] : [secret];
    const headers = {
      'content-type': 'application/cloudevents+json; charset=utf-8',
      'user-agent': 'Zonewright',
      ...signatureHeaders({ id: eventId, timestamp: toUnixSeconds(now), body }, secrets),
    };
    return this.target.post(url, { headers, body }, line, signal);
  }

  /** Writes down what became of a delivery. Returns the next one that is to be sent at once. */
  private settle(
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
      const change = new UsageChange();
      await this.ledger.settle(tx, change, { id, status: settled, attempts, answer, fault }, now);
      if (isGone) await this.disable(tx, queue.webhookId, now);
      const retryAt = Math.min(now + delayAfter(attempts, this.options.limits.firstRetry, retryAfter), retryUntil);
      const next = isOurs ? await this.goOn(tx, queue, settled === 'waiting' ? retryAt : null) : undefined;
      if (next !== undefined && isLastInARow) await this.queues.release(tx, queue, now);
      await this.ledger.write(tx, change);
      return isLastInARow ? undefined : next;
    });
  }

  /** What comes next in a queue that this transaction holds, unless what was sent is to be tried again. */
  private async goOn(tx: Transaction, queue: ClaimedQueue, retryAt: Instant | null): Promise<NextDelivery | undefined> {
    if (retryAt === null) return this.queues.nextOrEnd(tx, queue);
    await this.queues.release(tx, queue, retryAt);
    return undefined;
  }

  /** Whether nothing is there to be sent is certain only while nobody can add to the queue. */
  private async holdAndLook(tx: Transaction, queue: ClaimedQueue): Promise<NextDelivery | undefined> {
    const isOurs = await this.queues.hold(tx, queue, this.claimUntil(this.clock.now()));
    return isOurs ? this.queues.nextOrEnd(tx, queue) : undefined;
  }

  /** Its target wants no more (RFC 9110 §15.5.11). */
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
