import { setTimeout as delay } from 'node:timers/promises';
import { Injectable } from '@nestjs/common';
import type { TaskHandle } from '../../background/background-task.js';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { causeOf } from '../../common/service-error.js';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { secondsSince } from '../../observability/metrics.js';
import { TargetFault } from './calls/allowed-targets.js';
import { signatureHeaders } from './calls/signature.js';
import { type TargetAnswer, TargetClient, TargetLine } from './calls/target-client.js';
import { DeliverySettler, type Ending } from './delivery-settler.js';
import { bodyOf } from './queue/queued-message.js';
import { type QueueTurn, QueueTurns } from './queue/queue-turns.js';
import type { ClaimedQueue, NextDelivery } from './queue/webhook-queue.repository.js';
import { ATTEMPTS, DURATIONS } from './webhook-metrics.js';
import { WebhooksOptions } from './webhooks.options.js';

/** Deliveries of a queue before other queues of the webhook have their turn. */
const IN_A_ROW = 32;
/** Interval of looking for due queues, in milliseconds. */
const EVERY = 1000;
/** In milliseconds. Results that come later are retried after their claims expire. */
const LAST_WRITES = 2000;

/** Sends waiting deliveries (behaviour 19.10): in order for each webhook and zone, in parallel otherwise. */
@Injectable()
export class DeliverySender implements BackgroundService {
  private readonly warning = new ThrottledLogger();
  private task: TaskHandle | null = null;
  private readonly underWay = new Set<Promise<void>>();
  /** Deliveries that the stop of the service has aborted. */
  private readonly brokenOff: ClaimedQueue[] = [];

  constructor(
    private readonly turns: QueueTurns,
    private readonly settler: DeliverySettler,
    private readonly target: TargetClient,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
  ) {}

  addTasks(scheduler: Scheduler): void {
    this.task = scheduler.add({
      name: 'webhooks.calls',
      every: EVERY,
      runOnStart: true,
      failureMessages: { failing: 'Webhook calls are delayed', recovered: 'Webhook calls work again.' },
      run: (signal) => this.startDue(signal),
      shutdown: () => Promise.race([this.giveUp(), delay(LAST_WRITES, undefined, { ref: false })]),
    });
  }

  wake(): void {
    this.task?.trigger();
  }

  /** Releases the claims of aborted deliveries, all in one transaction because there may be hundreds. */
  private async giveUp(): Promise<void> {
    await Promise.all(this.underWay);
    if (this.brokenOff.length === 0) return;
    await this.settler
      .release(this.brokenOff)
      .catch((error: unknown) =>
        this.warning.warn(`Cannot release claims of webhook queues: ${causeOf(error)}. The claims expire.`),
      );
  }

  private async startDue(signal: AbortSignal): Promise<void> {
    const now = this.clock.now();
    const claimed = await this.turns.next({ now, until: this.settler.claimUntil(now) }, signal);
    for (const turn of claimed) this.start(turn, signal);
    // More queues may be due.
    if (claimed.length > 0) this.wake();
  }

  private start({ queue, release }: QueueTurn, signal: AbortSignal): void {
    const sending = this.send(queue, signal)
      .catch((error: unknown) =>
        this.warning.warn(`Cannot store the result of a webhook call: ${causeOf(error)}. The call will be repeated.`),
      )
      .finally(() => {
        this.underWay.delete(sending);
        release();
        this.wake();
      });
    this.underWay.add(sending);
  }

  private async send(queue: ClaimedQueue, signal: AbortSignal): Promise<void> {
    let delivery = await this.settler.first(queue);
    const line = new TargetLine();
    try {
      for (let sent = 1; delivery !== undefined; sent += 1) {
        const ending = await this.attempt(delivery, line, signal);
        // The outcome at the target is unknown, so the delivery is repeated.
        if (ending === null) return void this.brokenOff.push(queue);
        delivery = await this.settler.settle(queue, delivery, ending, sent === IN_A_ROW);
      }
    } finally {
      line.end();
    }
  }

  /** Returns `null` if the stop of the service has aborted the call. */
  private async attempt(delivery: NextDelivery, line: TargetLine, signal: AbortSignal): Promise<Ending | null> {
    const start = performance.now();
    try {
      const answer = await this.call(delivery, line, signal);
      DURATIONS.of().observe(secondsSince(start));
      return endingOf(answer);
    } catch (error) {
      if (signal.aborted) return null;
      const { kind, message } = error instanceof TargetFault ? error : new TargetFault('failed', 'the call failed');
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
}

function endingOf({ status: answer, retryAfter }: TargetAnswer): Ending {
  if (answer >= 200 && answer < 300) {
    ATTEMPTS.of('delivered').add();
    return { status: 'delivered', answer, fault: null, retryAfter: null, isGone: false };
  }
  const isGone = answer === 410;
  ATTEMPTS.of(isGone ? 'gone' : 'refused').add();
  const fault = `HTTP status ${answer}`;
  const asked = answer === 429 || answer === 503 ? retryAfter : null;
  return { status: isGone ? 'dead' : 'waiting', answer, fault, retryAfter: asked, isGone };
}
