import { Injectable } from '@nestjs/common';
import { Statement } from '../../../database/statements/statement.js';
import type { Transaction } from '../../../database/transaction.js';
import type { UsageChange } from './usage-change.js';

/** What one webhook has in its queue. */
export interface WebhookUsage {
  readonly webhookId: string;
  readonly waiting: number;
  readonly dead: number;
  /** Of both. */
  readonly octets: number;
}

const OF_WEBHOOKS =
  'SELECT w.id AS "webhookId", COALESCE(u.waiting, 0) AS waiting, COALESCE(u.dead, 0) AS dead, COALESCE(u.octets, 0) AS octets' +
  ' FROM webhooks w LEFT JOIN webhook_usage u ON u.webhook_id = w.id WHERE w.tenant_id = ? ORDER BY w.id';
// Nobody deletes a webhook while something is added to its queue: that would be left for good.
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

/** Sums of what is in the queues of webhooks, which are written in the transactions that change the queues (ADR 50). */
@Injectable()
export class WebhookUsageRepository {
  /** Of all webhooks of a tenant that are there; none of them is deleted before the transaction ends. */
  hold(tx: Transaction, tenantId: string): Promise<WebhookUsage[]> {
    return HOLD_WEBHOOKS.rows(tx, [tenantId]);
  }

  /** Octets that are stored for a tenant. */
  async octetsOf(tx: Transaction, tenantId: string): Promise<number> {
    return (await OF_TENANT.first(tx, [tenantId]))?.octets ?? 0;
  }

  /** To be the last that a transaction writes: others of the tenant wait for it from here on. In one order for all processes. */
  async add(tx: Transaction, { webhooks, tenants }: UsageChange): Promise<void> {
    for (const [webhookId, { waiting, dead, octets }] of inOrder(webhooks))
      await ADD_TO_WEBHOOK.run(tx, [webhookId, waiting, dead, octets]);
    for (const [tenantId, octets] of inOrder(tenants))
      if (octets !== 0) await ADD_TO_TENANT.run(tx, [tenantId, octets]);
  }

  async recordDeleted(tx: Transaction, webhookId: string): Promise<void> {
    await NOTE_DELETED.run(tx, [webhookId]);
  }

  /** A webhook that has been deleted, and of which something may be left. */
  async firstDeleted(tx: Transaction): Promise<string | undefined> {
    return (await FIRST_DELETED.first(tx, []))?.webhookId;
  }

  /** Unless something is left of the webhook, which another process may be about to remove. */
  async forget(tx: Transaction, webhookId: string): Promise<void> {
    await FORGET.run(tx, [webhookId]);
  }
}

function inOrder<Value>(changes: ReadonlyMap<string, Value>): [string, Value][] {
  return [...changes].sort(([one], [other]) => (one < other ? -1 : 1));
}
