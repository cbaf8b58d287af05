import { Injectable } from '@nestjs/common';
import { Clock, type Instant } from '../common/clock.js';
import { timeOrderedUuid } from '../common/uuid.js';
import type { Transaction } from '../database/transaction.js';
import type { WorkScope } from '../database/unit-of-work.js';
import { type DeliveryDraft, DeliveryRepository } from './delivery.repository.js';
import { WebhookEventRepository } from './webhook-event.repository.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';
import { QueueUsage } from './queue-usage.js';
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
  /** Of the body. */
  readonly octets: number;
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
    private readonly events: WebhookEventRepository,
    private readonly queues: WebhookQueueRepository,
    private readonly webhooks: WebhookRepository,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
  ) {}

  /** Until when what begins to wait now is tried again. */
  retryUntil(now: Instant): Instant {
    return now + this.options.limits.retryTime * 1_000_000;
  }

  async usageOf(tx: Transaction, tenantId: string): Promise<QueueUsage> {
    const weighed = {
      deliveries: await this.deliveries.weigh(tx, tenantId),
      octets: await this.events.weigh(tx, tenantId),
    };
    return new QueueUsage(tenantId, weighed, this.options.limits.maxQueueSize);
  }

  /**
   * Adds events of one zone, in their order; those that were added before are left as they are. What the queue has no room
   * for becomes a dead letter, and where there is no room for those as well, it is dropped.
   * @param usage of the tenant whose webhook it is
   * @returns the ids of the deliveries
   */
  async add(tx: Transaction, usage: QueueUsage, webhookId: string, events: readonly Outgoing[]): Promise<string[]> {
    const now = this.clock.now();
    const drafts: DeliveryDraft[] = [];
    let isBehind = false;
    for (const event of events) {
      const draft = await this.place(tx, usage, this.draft(webhookId, event, now + drafts.length), isBehind);
      if (draft !== null) drafts.push(draft);
      isBehind ||= draft?.status !== 'waiting';
    }
    const waiting = drafts.filter(({ status }) => status === 'waiting');
    if (waiting.length < events.length) {
      await this.webhooks.noteOverflow(tx, webhookId, now);
      GIVEN_UP.of('dead').add(drafts.length - waiting.length);
      GIVEN_UP.of('dropped').add(events.length - drafts.length);
    }
    await this.store(tx, usage, events, drafts);
    await this.deliveries.insert(tx, drafts);
    const [first] = waiting;
    if (first !== undefined) await this.queues.add(tx, { webhookId, zoneId: first.zoneId }, now);
    return drafts.map(({ id }) => id);
  }

  /** Stores the events that are kept, each once for all webhooks. */
  private async store(
    tx: Transaction,
    usage: QueueUsage,
    events: readonly Outgoing[],
    drafts: readonly DeliveryDraft[],
  ): Promise<void> {
    const kept = new Set(drafts.map(({ eventId }) => eventId));
    const unstored = events.filter(({ eventId }) => kept.has(eventId) && !usage.hasStored(eventId));
    const { tenantId } = usage;
    await this.events.insert(
      tx,
      unstored.map(({ eventId, octets, body }) => ({ eventId, tenantId, octets, body })),
    );
    usage.noteStored(kept);
  }

  /**
   * A delivery as it is kept; `null`: there is no room for it.
   * @param isBehind one before it does not wait, and so it does not either
   */
  private async place(
    tx: Transaction,
    usage: QueueUsage,
    draft: DeliveryDraft,
    isBehind: boolean,
  ): Promise<DeliveryDraft | null> {
    const { maxQueue } = this.options.limits;
    const { webhookId } = draft;
    const used = usage.of(webhookId);
    const mayWait = !isBehind && used.waiting < maxQueue;
    if (mayWait) await this.makeRoom(tx, usage, draft);
    if (!usage.hasRoom(webhookId, draft) || (!mayWait && used.dead >= maxQueue)) return null;
    usage.take(webhookId, draft);
    used[mayWait ? 'waiting' : 'dead'] += 1;
    return mayWait ? draft : { ...draft, status: 'dead', fault: FULL };
  }

  /** The oldest dead letters of a webhook give way to what it has still to be told. */
  private async makeRoom(tx: Transaction, usage: QueueUsage, draft: DeliveryDraft): Promise<void> {
    const { webhookId } = draft;
    const used = usage.of(webhookId);
    while (used.dead > 0 && !usage.hasRoom(webhookId, draft)) {
      const gone = await this.deliveries.deleteOldestDead(tx, webhookId);
      if (gone.length === 0) return;
      const eventIds = gone.map(({ eventId }) => eventId);
      usage.giveBack(webhookId, gone, await this.events.weighUnneeded(tx, usage.tenantId, eventIds));
    }
  }

  private draft(webhookId: string, event: Outgoing, at: Instant): DeliveryDraft {
    const { zoneId, number, eventId, eventType, octets } = event;
    return {
      ...{ id: timeOrderedUuid(at), webhookId, zoneId, number, eventId, eventType, octets },
      ...{ status: 'waiting', fault: null, createdAt: at, retryUntil: this.retryUntil(at) },
    };
  }
}
