import { Injectable } from '@nestjs/common';
import { Clock, type Instant } from '../../../common/clock.js';
import { timeOrderedUuid } from '../../../common/uuid.js';
import type { Transaction } from '../../../database/transaction.js';
import type { WorkScope } from '../../../database/unit-of-work.js';
import { DeliveryLedger } from './delivery-ledger.js';
import { type DeliveryDraft, DeliveryRepository } from '../delivery.repository.js';
import { type QueuedMessage, writeMessage } from './queued-message.js';
import { QueueUsage } from './queue-usage.js';
import { UsageChange } from './usage-change.js';
import { GIVEN_UP } from '../webhook-metrics.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';
import { WebhookUsageRepository } from './webhook-usage.repository.js';
import { WebhookRepository } from '../webhook.repository.js';
import { WebhooksOptions } from '../webhooks.options.js';

/** An event for a webhook, as it is stored until it is sent. */
export interface Outgoing {
  readonly number: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly content: string;
  /** Of the content. */
  readonly octets: number;
}

/** What a webhook is to be told of one zone, in its order. */
export interface Wanted {
  readonly webhookId: string;
  readonly events: readonly Outgoing[];
}

/** A transaction that adds to queues of one tenant. */
interface Filling {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly usage: QueueUsage;
  readonly change: UsageChange;
}

/**
 * Where several changes can be under way at once: beside what is changed in the zone, and with as many connections at most as a
 * UUID has last digits.
 */
export function queueScope(zoneId: string): WorkScope {
  return { queue: `webhooks ${zoneId.slice(-1)}`, sharesConnections: true };
}

const FULL = 'the queue was full';

/** What webhooks are still to be sent, which is bounded for each of them (behaviour 19.10). */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly ledger: DeliveryLedger,
    private readonly usage: WebhookUsageRepository,
    private readonly queues: WebhookQueueRepository,
    private readonly webhooks: WebhookRepository,
    private readonly options: WebhooksOptions,
    private readonly clock: Clock,
  ) {}

  /**
   * What is to be queued of what a webhook is told.
   * @param number grows with the events of its zone
   */
  outgoing(number: number, told: QueuedMessage['told']): Outgoing {
    const message = { form: this.options.form, told };
    const { id, type } = this.options.sayMessage(message);
    const content = writeMessage(message);
    return { number, eventId: id, eventType: type, content, octets: Buffer.byteLength(content) };
  }

  /** Until when what begins to wait now is tried again. */
  retryUntil(now: Instant): Instant {
    return now + this.options.limits.retryTime * 1_000_000;
  }

  /**
   * Adds events of one zone, in their order, for webhooks of one tenant; those that were added before are left as they are. What
   * a queue has no room for becomes a dead letter, and where there is no room for those as well, it is dropped.
   * @returns the ids of the deliveries
   */
  async add(tx: Transaction, tenantId: string, zoneId: string, wanted: readonly Wanted[]): Promise<string[]> {
    const filling: Filling = { tx, tenantId, usage: await this.usageOf(tx, tenantId), change: new UsageChange() };
    const known = wanted.filter(({ webhookId }) => filling.usage.of(webhookId) !== undefined);
    const now = this.clock.now();
    // Nobody else adds to them, or ends them, before the transaction ends.
    for (const { webhookId } of known) await this.queues.add(tx, { webhookId, zoneId }, now);
    const ids: string[] = [];
    for (const each of known) ids.push(...(await this.addTo(filling, zoneId, each, now)));
    await this.ledger.write(tx, filling.change);
    return ids;
  }

  private async usageOf(tx: Transaction, tenantId: string): Promise<QueueUsage> {
    const webhooks = await this.usage.hold(tx, tenantId);
    return new QueueUsage(
      { webhooks, octets: await this.usage.octetsOf(tx, tenantId) },
      this.options.limits.maxQueueSize,
    );
  }

  private async addTo(
    filling: Filling,
    zoneId: string,
    { webhookId, events }: Wanted,
    now: Instant,
  ): Promise<string[]> {
    const { tx, tenantId, usage, change } = filling;
    const added = await this.unknownOf(tx, webhookId, zoneId, events);
    const drafts: DeliveryDraft[] = [];
    let isBehind = false;
    for (const event of added) {
      const draft = await this.admit(filling, this.draft(webhookId, zoneId, event, now + drafts.length), isBehind);
      if (draft !== null) drafts.push(draft);
      isBehind ||= draft?.status !== 'waiting';
    }
    await this.recordOverflow(tx, webhookId, now, { events: added.length, drafts });
    const kept = new Set(drafts.map(({ eventId }) => eventId));
    const unstored = added.filter(({ eventId }) => kept.has(eventId) && !usage.hasStored(eventId));
    const stored = unstored.map(({ eventId, octets, content }) => ({ eventId, tenantId, octets, content }));
    await this.ledger.add(tx, change, drafts, stored);
    usage.recordStored(kept);
    return drafts.map(({ id }) => id);
  }

  /** Those that the webhook has no deliveries of. */
  private async unknownOf(
    tx: Transaction,
    webhookId: string,
    zoneId: string,
    events: readonly Outgoing[],
  ): Promise<readonly Outgoing[]> {
    const [first, last] = [events[0], events.at(-1)];
    if (first === undefined || last === undefined) return [];
    const known = new Set(await this.deliveries.numbersIn(tx, webhookId, zoneId, first.number, last.number));
    return events.filter(({ number }) => !known.has(number));
  }

  private async recordOverflow(
    tx: Transaction,
    webhookId: string,
    now: Instant,
    { events, drafts }: { readonly events: number; readonly drafts: readonly DeliveryDraft[] },
  ): Promise<void> {
    const waiting = drafts.filter(({ status }) => status === 'waiting').length;
    if (waiting === events) return;
    await this.webhooks.recordOverflow(tx, webhookId, now);
    GIVEN_UP.of('dead').add(drafts.length - waiting);
    GIVEN_UP.of('dropped').add(events - drafts.length);
  }

  /**
   * A delivery as it is kept; `null`: there is no room for it.
   * @param isBehind one before it does not wait, and so it does not either
   */
  private async admit(filling: Filling, draft: DeliveryDraft, isBehind: boolean): Promise<DeliveryDraft | null> {
    const { maxQueue } = this.options.limits;
    const { usage } = filling;
    const used = usage.of(draft.webhookId);
    if (used === undefined) return null;
    const mayWait = !isBehind && used.waiting < maxQueue;
    if (mayWait) await this.makeRoom(filling, draft);
    if (!usage.hasRoom(used, draft) || (!mayWait && used.dead >= maxQueue)) return null;
    usage.take(used, mayWait ? 'waiting' : 'dead', draft);
    return mayWait ? draft : { ...draft, status: 'dead', fault: FULL };
  }

  /** The oldest dead letters of a webhook give way to what it has still to be told. */
  private async makeRoom({ tx, usage, change }: Filling, draft: DeliveryDraft): Promise<void> {
    const { webhookId } = draft;
    const used = usage.of(webhookId);
    while (used !== undefined && used.dead > 0 && !usage.hasRoom(used, draft)) {
      const { deliveries, octets } = await this.ledger.removeOldestDead(tx, change, webhookId);
      if (deliveries.length === 0) return;
      usage.giveBack(used, deliveries, octets);
    }
  }

  private draft(webhookId: string, zoneId: string, event: Outgoing, at: Instant): DeliveryDraft {
    const { number, eventId, eventType, octets } = event;
    return {
      ...{ id: timeOrderedUuid(at), webhookId, zoneId, number, eventId, eventType, octets },
      ...{ status: 'waiting', fault: null, createdAt: at, retryUntil: this.retryUntil(at) },
    };
  }
}
