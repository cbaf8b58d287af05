import { Injectable } from '@nestjs/common';
import { Statement } from '../../../database/statements/statement.js';
import type { Transaction } from '../../../database/transaction.js';
import type { DeliveryStatus } from '../delivery.entity.js';
import type { WebhookUsageEntity } from './webhook-queue.entity.js';
import type { WeighedEvent } from '../delivery.repository.js';

type WebhookUsage = Omit<WebhookUsageEntity, 'deleted'>;

const OF_WEBHOOKS =
  'SELECT w.id AS "webhookId", COALESCE(u.waiting, 0) AS waiting, COALESCE(u.dead, 0) AS dead, COALESCE(u.octets, 0) AS octets' +
  ' FROM webhooks w LEFT JOIN webhook_usage u ON u.webhook_id = w.id WHERE w.tenant_id = ? ORDER BY w.id';
// Keeps the webhook from being deleted while its queue grows; the new rows would remain.
const HOLD_WEBHOOKS = new Statement<WebhookUsage>(OF_WEBHOOKS, `${OF_WEBHOOKS} FOR KEY SHARE OF w`);
const OF_TENANT = new Statement<{ readonly octets: number }>('SELECT octets FROM webhook_tenants WHERE tenant_id = ?');
const ADD_TO_WEBHOOK = new Statement(
  'INSERT INTO webhook_usage (webhook_id, waiting, dead, octets) VALUES (?, ?, ?, ?) ON CONFLICT (webhook_id) DO UPDATE SET' +
    ' waiting = webhook_usage.waiting + excluded.waiting, dead = webhook_usage.dead + excluded.dead,' +
    ' octets = webhook_usage.octets + excluded.octets',
);
const ADD_TO_TENANT = new Statement(
  'INSERT INTO webhook_tenants (tenant_id, octets) VALUES (?, ?)' +
    ' ON CONFLICT (tenant_id) DO UPDATE SET octets = webhook_tenants.octets + excluded.octets',
);
const NOTE_DELETED = new Statement(
  'INSERT INTO webhook_usage (webhook_id, deleted) VALUES (?, 1) ON CONFLICT (webhook_id) DO UPDATE SET deleted = 1',
);
const FIRST_DELETED = new Statement<{ readonly webhookId: string }>(
  'SELECT webhook_id AS "webhookId" FROM webhook_usage WHERE deleted = 1 ORDER BY webhook_id LIMIT 1',
);
const FORGET = new Statement(
  'DELETE FROM webhook_usage WHERE webhook_id = ? AND deleted = 1' +
    ' AND NOT EXISTS (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = webhook_usage.webhook_id)' +
    ' AND NOT EXISTS (SELECT 1 FROM webhook_queues q WHERE q.webhook_id = webhook_usage.webhook_id)',
);

@Injectable()
export class WebhookUsageRepository {
  /** Returns the usage of all webhooks of a tenant, locked until the end of the transaction. */
  hold(tx: Transaction, tenantId: string): Promise<WebhookUsage[]> {
    return HOLD_WEBHOOKS.rows(tx, [tenantId]);
  }

  async octetsOf(tx: Transaction, tenantId: string): Promise<number> {
    return (await OF_TENANT.first(tx, [tenantId]))?.octets ?? 0;
  }

  /** Has to be the last write of a transaction: other changes of the tenant wait. Sorted to avoid deadlocks. */
  async add(tx: Transaction, { webhooks, tenants }: UsageDelta): Promise<void> {
    for (const [webhookId, { waiting, dead, octets }] of inOrder(webhooks))
      await ADD_TO_WEBHOOK.run(tx, [webhookId, waiting, dead, octets]);
    for (const [tenantId, octets] of inOrder(tenants))
      if (octets !== 0) await ADD_TO_TENANT.run(tx, [tenantId, octets]);
  }

  async recordDeleted(tx: Transaction, webhookId: string): Promise<void> {
    await NOTE_DELETED.run(tx, [webhookId]);
  }

  /** Returns a deleted webhook that may have remaining rows. */
  async firstDeleted(tx: Transaction): Promise<string | undefined> {
    return (await FIRST_DELETED.first(tx, []))?.webhookId;
  }

  /** Deletes the counters of a webhook without remaining rows. */
  async forget(tx: Transaction, webhookId: string): Promise<void> {
    await FORGET.run(tx, [webhookId]);
  }
}

function inOrder<Value>(changes: ReadonlyMap<string, Value>): [string, Value][] {
  return [...changes].sort(([one], [other]) => (one < other ? -1 : 1));
}

/** Collects the counter changes of a transaction, which are written once at its end. */
export class UsageDelta {
  readonly webhooks = new Map<string, Omit<WebhookUsage, 'webhookId'>>();
  readonly tenants = new Map<string, number>();

  /** Negative numbers count deliveries that leave the status. `octets` is their total size. */
  count(webhookId: string, status: DeliveryStatus, deliveries: number, octets: number): void {
    if (status === 'delivered') return;
    const change = this.webhooks.get(webhookId) ?? { waiting: 0, dead: 0, octets: 0 };
    change[status] += deliveries;
    change.octets += octets;
    this.webhooks.set(webhookId, change);
  }

  weigh(tenantId: string, octets: number): void {
    this.tenants.set(tenantId, (this.tenants.get(tenantId) ?? 0) + octets);
  }
}

type Used = { -readonly [Sum in 'waiting' | 'dead' | 'octets']: WebhookUsage[Sum] };

interface Stored {
  readonly webhooks: readonly WebhookUsage[];
  /** Total size, each event once. */
  readonly octets: number;
}

export class QueueUsage {
  private readonly used: ReadonlyMap<string, Used>;
  private readonly stored = new Set<string>();
  private octets: number;

  /** @param most limit of the tenant, in octets */
  constructor(
    { webhooks, octets: ofAll }: Stored,
    private readonly most: number,
  ) {
    this.octets = ofAll;
    this.used = new Map(webhooks.map(({ webhookId, waiting, dead, octets }) => [webhookId, { waiting, dead, octets }]));
  }

  /** `undefined` for a deleted webhook. */
  of(webhookId: string): Used | undefined {
    return this.used.get(webhookId);
  }

  /** A webhook may use as much as remains free. An event that is stored for another webhook needs no space. */
  hasRoom(used: Used, event: WeighedEvent): boolean {
    return used.octets + this.costOf(event) <= this.most - this.octets;
  }

  take(used: Used, as: 'waiting' | 'dead', event: WeighedEvent): void {
    used[as] += 1;
    used.octets += event.octets;
    this.octets += this.costOf(event);
  }

  /** @param unneeded size of deleted events */
  giveBack(used: Used, dead: readonly WeighedEvent[], unneeded: number): void {
    used.dead -= dead.length;
    used.octets -= dead.reduce((sum, { octets }) => sum + octets, 0);
    this.octets -= unneeded;
  }

  hasStored(eventId: string): boolean {
    return this.stored.has(eventId);
  }

  recordStored(eventIds: Iterable<string>): void {
    for (const eventId of eventIds) this.stored.add(eventId);
  }

  private costOf({ eventId, octets }: WeighedEvent): number {
    return this.hasStored(eventId) ? 0 : octets;
  }
}
