import { Injectable } from '@nestjs/common';
import { Clock, type Instant } from '../../../common/clock.js';
import { timeOrderedUuid } from '../../../common/uuid.js';
import type { Transaction } from '../../../database/transaction.js';
import type { WorkScope } from '../../../database/unit-of-work.js';
import { DeliveryLedger } from './delivery-ledger.js';
import { type DeliveryDraft, DeliveryRepository } from '../delivery.repository.js';
import { type QueuedMessage, writeMessage } from './queued-message.js';
import { QueueUsage, UsageDelta, WebhookUsageRepository } from './webhook-usage.repository.js';
import { GIVEN_UP } from '../webhook-metrics.js';
import { WebhookQueueRepository } from './webhook-queue.repository.js';
import { WebhookRepository } from '../webhook.repository.js';
import { WebhooksOptions } from '../webhooks.options.js';

export interface Outgoing {
  readonly number: number;
  readonly eventId: string;
  readonly eventType: string;
  readonly content: string;
  readonly octets: number;
}

export interface Wanted {
  readonly webhookId: string;
  readonly events: readonly Outgoing[];
}

type StoredDelivery = Pick<DeliveryDraft, 'id' | 'zoneId'>;

interface Filling {
  readonly tx: Transaction;
  readonly tenantId: string;
  readonly usage: QueueUsage;
  readonly change: UsageDelta;
}

/** Up to 16 separate queues by the last digit of the zone ID, so that several changes run concurrently. */
export function queueScope(zoneId: string): WorkScope {
  return { queue: `webhooks ${zoneId.slice(-1)}`, sharesConnections: true };
}

const FULL = 'the queue was full';

/** Adds deliveries to queues with limits for each webhook (behaviour 19.10). */
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

  /** @param number grows with the events of its zone */
  outgoing(number: number, told: QueuedMessage['told']): Outgoing {
    const message = { form: this.options.form, told };
    const { id, type } = this.options.sayMessage(message);
    const content = writeMessage(message);
    return { number, eventId: id, eventType: type, content, octets: Buffer.byteLength(content) };
  }

  private retryUntil(now: Instant): Instant {
    return now + this.options.limits.retryTime * 1_000_000;
  }

  /** Skips earlier events. Without room, an event becomes a dead letter or is dropped. Returns the delivery IDs. */
  async add(tx: Transaction, tenantId: string, zoneId: string, wanted: readonly Wanted[]): Promise<string[]> {
    const filling: Filling = { tx, tenantId, usage: await this.usageOf(tx, tenantId), change: new UsageDelta() };
    const known = wanted.filter(({ webhookId }) => filling.usage.of(webhookId) !== undefined);
    const now = this.clock.now();
    // Locks the queues until the end of the transaction.
    for (const { webhookId } of known) await this.queues.add(tx, { webhookId, zoneId }, now);
    const ids: string[] = [];
    for (const each of known) ids.push(...(await this.addTo(filling, zoneId, each, now)));
    await this.ledger.write(tx, filling.change);
    return ids;
  }

  /** Queues a delivery again and makes its queue due. Returns whether the delivery was undelivered. */
  async replay(tx: Transaction, webhookId: string, { id, zoneId }: StoredDelivery, now: Instant): Promise<boolean> {
    await this.queues.hasten(tx, { webhookId, zoneId }, now);
    const change = new UsageDelta();
    const isReplayed = await this.ledger.replay(tx, change, id, this.retryUntil(now), now);
    await this.ledger.write(tx, change);
    return isReplayed;
  }

  async replayDead(tx: Transaction, webhookId: string, now: Instant): Promise<number> {
    const change = new UsageDelta();
    const zones = await this.ledger.replayDead(tx, change, webhookId, this.retryUntil(now), now);
    await this.queues.hastenSome(tx, webhookId, new Set(zones), now);
    await this.ledger.write(tx, change);
    return zones.length;
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

  /** Returns `null` without room. `isBehind`: an earlier delivery is not waiting, so this one must not wait either. */
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
