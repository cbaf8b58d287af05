import { Injectable } from '@nestjs/common';
import type { Instant } from '../../../common/clock.js';
import { nextTurn } from '../../../common/waiting/event-loop-turns.js';
import type { Transaction } from '../../../database/transaction.js';
import type { DeliveryStatus } from '../delivery.entity.js';
import { type Attempt, type CountedDelivery, type DeliveryDraft, DeliveryRepository } from '../delivery.repository.js';
import { UsageDelta, WebhookUsageRepository } from './webhook-usage.repository.js';
import type { WebhookEventEntity } from './webhook-queue.entity.js';
import { WebhookEventRepository } from './webhook-event.repository.js';

export interface Removed {
  readonly deliveries: readonly CountedDelivery[];
  readonly octets: number;
}

/** Changes deliveries, events and usage counters together (ADR 50). Call `write` last in the transaction. */
@Injectable()
export class DeliveryLedger {
  constructor(
    private readonly deliveries: DeliveryRepository,
    private readonly events: WebhookEventRepository,
    private readonly usage: WebhookUsageRepository,
  ) {}

  write(tx: Transaction, change: UsageDelta): Promise<void> {
    return this.usage.add(tx, change);
  }

  async add(
    tx: Transaction,
    change: UsageDelta,
    drafts: readonly DeliveryDraft[],
    events: readonly WebhookEventEntity[],
  ): Promise<void> {
    await this.deliveries.insert(tx, drafts);
    for (const { webhookId, status, octets } of drafts) change.count(webhookId, status, 1, octets);
    for (const { tenantId, octets } of await this.events.insert(tx, events)) change.weigh(tenantId, octets);
  }

  /** Stores the result of an attempt, unless the delivery has been delivered or deleted meanwhile. */
  async settle(tx: Transaction, change: UsageDelta, attempt: Attempt, at: Instant): Promise<void> {
    const before = await this.deliveries.hold(tx, attempt.id);
    if (before === undefined || before.status === 'delivered') return;
    await this.deliveries.settle(tx, attempt, at);
    if (attempt.status === 'delivered') await this.drop(tx, change, [before]);
    else move(change, before, attempt.status);
  }

  /** Queues a delivery again. Returns whether it existed and was undelivered. */
  async replay(tx: Transaction, change: UsageDelta, id: string, until: Instant, at: Instant): Promise<boolean> {
    const before = await this.deliveries.hold(tx, id);
    if (before === undefined || before.status === 'delivered') return false;
    await this.deliveries.replay(tx, id, until, at);
    move(change, before, 'waiting');
    return true;
  }

  /** Queues all dead letters of a webhook again, in portions with turns for other work. Returns the zone of each. */
  async replayDead(
    tx: Transaction,
    change: UsageDelta,
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

  async removeOldestDead(tx: Transaction, change: UsageDelta, webhookId: string): Promise<Removed> {
    return this.removed(tx, change, await this.deliveries.deleteOldestDead(tx, webhookId));
  }

  async removeSettled(tx: Transaction, change: UsageDelta, status: DeliveryStatus, before: Instant): Promise<number> {
    const { deliveries } = await this.removed(tx, change, await this.deliveries.deleteSettled(tx, status, before));
    return deliveries.length;
  }

  async removeOf(tx: Transaction, change: UsageDelta, webhookId: string): Promise<number> {
    const { deliveries } = await this.removed(tx, change, await this.deliveries.deleteOf(tx, webhookId));
    return deliveries.length;
  }

  private async removed(tx: Transaction, change: UsageDelta, deliveries: readonly CountedDelivery[]): Promise<Removed> {
    return { deliveries, octets: await this.drop(tx, change, deliveries) };
  }

  /** Deletes events that no delivery needs any more. Returns their size. */
  private async drop(tx: Transaction, change: UsageDelta, deliveries: readonly CountedDelivery[]): Promise<number> {
    const undelivered = deliveries.filter(({ status }) => status !== 'delivered');
    for (const { webhookId, status, octets } of undelivered) change.count(webhookId, status, -1, -octets);
    const eventIds = undelivered.map(({ eventId }) => eventId);
    const unneeded = await this.events.deleteUnneeded(tx, eventIds);
    for (const { tenantId, octets } of unneeded) change.weigh(tenantId, -octets);
    return unneeded.reduce((sum, { octets }) => sum + octets, 0);
  }
}

function move(change: UsageDelta, delivery: Omit<CountedDelivery, 'eventId'>, to: DeliveryStatus): void {
  const { webhookId, status, octets } = delivery;
  change.count(webhookId, status, -1, -octets);
  change.count(webhookId, to, 1, octets);
}
