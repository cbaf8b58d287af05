import { Injectable } from '@nestjs/common';
import type { Instant } from '../../../common/clock.js';
import { nextTurn } from '../../../common/waiting/event-loop-turns.js';
import type { Transaction } from '../../../database/transaction.js';
import type { DeliveryStatus } from '../delivery.entity.js';
import { type Attempt, type CountedDelivery, type DeliveryDraft, DeliveryRepository } from '../delivery.repository.js';
import { UsageChange } from './usage-change.js';
import type { WebhookEventEntity } from './webhook-event.entity.js';
import { WebhookEventRepository } from './webhook-event.repository.js';
import { WebhookUsageRepository } from './webhook-usage.repository.js';

/** What became of a portion of deliveries. */
export interface Removed {
  readonly deliveries: readonly CountedDelivery[];
  /** Octets of what was stored and is no longer needed. */
  readonly octets: number;
}

/**
 * Changes deliveries, what is stored for them and the sums of both together, so that the sums are never counted (ADR 50). Each
 * method says in a `UsageChange` what it makes of the sums; `write` is to be the last thing of the transaction.
 */
@Injectable()
export class DeliveryLedger {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly events: WebhookEventRepository,
    private readonly usage: WebhookUsageRepository,
  ) {}

  write(tx: Transaction, change: UsageChange): Promise<void> {
    return this.usage.add(tx, change);
  }

  /** Adds deliveries that are not there, and stores their events, each once. */
  async add(
    tx: Transaction,
    change: UsageChange,
    drafts: readonly DeliveryDraft[],
    events: readonly WebhookEventEntity[],
  ): Promise<void> {
    await this.deliveries.insert(tx, drafts);
    for (const { webhookId, status, octets } of drafts) change.count(webhookId, status, 1, octets);
    for (const { tenantId, octets } of await this.events.insert(tx, events)) change.weigh(tenantId, octets);
  }

  /** Writes down how an attempt has ended, unless the delivery was delivered or removed meanwhile. */
  async settle(tx: Transaction, change: UsageChange, attempt: Attempt, at: Instant): Promise<void> {
    const before = await this.deliveries.hold(tx, attempt.id);
    if (before === undefined || before.status === 'delivered') return;
    await this.deliveries.settle(tx, attempt, at);
    if (attempt.status === 'delivered') await this.drop(tx, change, [before]);
    else move(change, before, attempt.status);
  }

  /** Queues one again like a new one. Returns whether there was one of this id that was not delivered. */
  async replay(tx: Transaction, change: UsageChange, id: string, until: Instant, at: Instant): Promise<boolean> {
    const before = await this.deliveries.hold(tx, id);
    if (before === undefined || before.status === 'delivered') return false;
    await this.deliveries.replay(tx, id, until, at);
    move(change, before, 'waiting');
    return true;
  }

  /** Lets all dead letters of a webhook wait again, in portions between which others have a turn. Returns the zone of each. */
  async replayDead(
    tx: Transaction,
    change: UsageChange,
    webhookId: string,
    until: Instant,
    at: Instant,
  ): Promise<string[]> {
    const zones: string[] = [];
    for (;;) {
      const chunk = await this.deliveries.replayDead(tx, webhookId, until, at);
      if (chunk.length === 0) return zones;
      for (const { zoneId, octets } of chunk) {
        zones.push(zoneId);
        move(change, { webhookId, status: 'dead', octets }, 'waiting');
      }
      await nextTurn();
    }
  }

  /** Removes some of the oldest dead letters of a webhook. */
  async removeOldestDead(tx: Transaction, change: UsageChange, webhookId: string): Promise<Removed> {
    return this.removed(tx, change, await this.deliveries.deleteOldestDead(tx, webhookId));
  }

  /** Removes some of those that came to their status before. Returns how many. */
  async removeSettled(tx: Transaction, change: UsageChange, status: DeliveryStatus, before: Instant): Promise<number> {
    const { deliveries } = await this.removed(tx, change, await this.deliveries.deleteSettled(tx, status, before));
    return deliveries.length;
  }

  /** Removes some of a webhook. Returns how many. */
  async removeOf(tx: Transaction, change: UsageChange, webhookId: string): Promise<number> {
    const { deliveries } = await this.removed(tx, change, await this.deliveries.deleteOf(tx, webhookId));
    return deliveries.length;
  }

  private async removed(
    tx: Transaction,
    change: UsageChange,
    deliveries: readonly CountedDelivery[],
  ): Promise<Removed> {
    return { deliveries, octets: await this.drop(tx, change, deliveries) };
  }

  /** What deliveries no longer need goes with them. Returns the octets of it. */
  private async drop(tx: Transaction, change: UsageChange, deliveries: readonly CountedDelivery[]): Promise<number> {
    const undelivered = deliveries.filter(({ status }) => status !== 'delivered');
    for (const { webhookId, status, octets } of undelivered) change.count(webhookId, status, -1, -octets);
    const unneeded = await this.events.deleteUnneeded(
      tx,
      undelivered.map(({ eventId }) => eventId),
    );
    for (const { tenantId, octets } of unneeded) change.weigh(tenantId, -octets);
    return unneeded.reduce((sum, { octets }) => sum + octets, 0);
  }
}

function move(
  change: UsageChange,
  { webhookId, status, octets }: Pick<CountedDelivery, 'webhookId' | 'status' | 'octets'>,
  to: DeliveryStatus,
): void {
  change.count(webhookId, status, -1, -octets);
  change.count(webhookId, to, 1, octets);
}
