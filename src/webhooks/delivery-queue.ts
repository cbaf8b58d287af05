import { Injectable } from '@nestjs/common';
import { Clock, type Instant } from '../common/clock.js';
import { timeOrderedUuid } from '../common/uuid.js';
import type { Transaction } from '../database/transaction.js';
import type { WorkScope } from '../database/unit-of-work.js';
import { type DeliveryDraft, DeliveryRepository } from './delivery.repository.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';
import { GIVEN_UP } from './webhook-figures.js';
import { WebhookRepository } from './webhook.repository.js';
import { WebhooksOptions } from './webhooks.options.js';

/** An event for a webhook, as it will be sent. */
export interface Outgoing {
  /** Empty for a test. */
  readonly zoneId: string;
  readonly number: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly body: string;
}

/**
 * Where several changes can be under way at once: beside what is changed in the zone, and with as many connections at most as a
 * UUID has last digits.
 */
export function laneOf(zoneId: string): WorkScope {
  return { zoneId: `webhooks ${zoneId.slice(-1)}` };
}

const FULL = 'the queue was full';

/** What webhooks are still to be sent, which is bounded for each of them (behaviour 19.10). */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly queues: WebhookQueueRepository,
    private readonly webhooks: WebhookRepository,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
  ) {}

  /** Until when what begins to wait now is tried again. */
  retryUntil(now: Instant): Instant {
    return now + this.options.limits.retryTime * 1_000_000;
  }

  /**
   * Adds events of one zone, in their order; those that were added before are left as they are. What the queue has no room
   * for becomes a dead letter, and where there are too many of those as well, it is dropped.
   * @returns the ids of the deliveries
   */
  async add(tx: Transaction, webhookId: string, events: readonly Outgoing[]): Promise<string[]> {
    const { maxQueue } = this.options.limits;
    const now = this.clock.now();
    const room = maxQueue - (await this.deliveries.count(tx, webhookId, 'waiting'));
    const waiting = events.slice(0, Math.max(0, room));
    const drafts = waiting.map((event, at) => this.draft(webhookId, event, now + at));
    if (waiting.length < events.length) {
      const deadRoom = Math.max(0, maxQueue - (await this.deliveries.count(tx, webhookId, 'dead')));
      const dead = events.slice(waiting.length).slice(0, deadRoom);
      drafts.push(
        ...dead.map((event, at): DeliveryDraft => ({
          ...this.draft(webhookId, event, now + waiting.length + at),
          status: 'dead',
          fault: FULL,
        })),
      );
      await this.webhooks.noteOverflow(tx, webhookId, now);
      GIVEN_UP.of('dead').add(dead.length);
      GIVEN_UP.of('dropped').add(events.length - waiting.length - dead.length);
    }
    await this.deliveries.insert(tx, drafts);
    const [first] = waiting;
    if (first !== undefined) await this.queues.add(tx, { webhookId, zoneId: first.zoneId }, now);
    return drafts.map(({ id }) => id);
  }

  private draft(webhookId: string, event: Outgoing, at: Instant): DeliveryDraft {
    const { zoneId, number, eventId, eventType, body } = event;
    return {
      ...{ id: timeOrderedUuid(at), webhookId, zoneId, number, eventId, eventType, body },
      ...{ status: 'waiting', fault: null, createdAt: at, retryUntil: this.retryUntil(at) },
    };
  }
}
