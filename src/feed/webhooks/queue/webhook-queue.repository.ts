import { Injectable } from '@nestjs/common';
import type { Instant } from '../../../common/clock.js';
import { nextTurn } from '../../../common/waiting/event-loop-turns.js';
import { PortionedDelete } from '../../../database/statements/portioned-delete.js';
import { Reads } from '../../../database/reads.js';
import { Statement } from '../../../database/statements/statement.js';
import type { Transaction } from '../../../database/transaction.js';
import { forEachDatabase, indexedBy } from '../../../database/statements/walk.js';
import type { DeliveryEntity } from '../delivery.entity.js';
import type { WebhookEntity } from '../webhook.entity.js';
import type { WebhookEventEntity } from './webhook-queue.entity.js';

export interface QueueKey {
  readonly webhookId: string;
  readonly zoneId: string;
}

export interface DueQueue extends QueueKey {
  /** Empty if the webhook was deleted meanwhile. */
  readonly tenantId: string;
  readonly nextAt: Instant;
}

export interface ClaimedQueue extends DueQueue {
  readonly claim: string;
}

export type NextDelivery = Pick<DeliveryEntity, 'id' | 'eventId' | 'attempts' | 'retryUntil' | 'createdAt'> &
  Pick<WebhookEntity, 'url' | 'secret' | 'formerSecret' | 'formerUntil'> &
  Pick<WebhookEventEntity, 'content'>;

const PORTION = 256;
const BEFORE_ALL: DueQueue = { nextAt: -1, webhookId: '', zoneId: '', tenantId: '' };
/** Due time of the queue of a disabled webhook. */
const NEVER: Instant = Number.MAX_SAFE_INTEGER;

const OF_KEY = 'webhook_id = ? AND zone_id = ?';
const OF_CLAIM = `${OF_KEY} AND claim = ?`;
const DUE = new Statement<DueQueue>(
  'SELECT q.webhook_id AS "webhookId", q.zone_id AS "zoneId", q.next_at AS "nextAt", COALESCE(w.tenant_id, \'\') AS "tenantId"' +
    ' FROM webhook_queues q LEFT JOIN webhooks w ON w.id = q.webhook_id' +
    ' WHERE q.next_at <= ? AND (q.next_at, q.webhook_id, q.zone_id) > (?, ?, ?)' +
    ` ORDER BY q.next_at, q.webhook_id, q.zone_id LIMIT ${PORTION}`,
);
const CLAIM = new Statement<unknown>(
  `UPDATE webhook_queues SET next_at = ?, claim = ? WHERE ${OF_KEY} AND next_at <= ? RETURNING 1 AS claimed`,
);
const HOLD = new Statement<unknown>(`UPDATE webhook_queues SET next_at = ? WHERE ${OF_CLAIM} RETURNING 1 AS held`);
const RELEASE = new Statement(`UPDATE webhook_queues SET next_at = ?, claim = NULL WHERE ${OF_CLAIM}`);
/** Keeps SQLite from scanning other deliveries. */
const IN_ORDER = `webhook_deliveries d${indexedBy('webhook_deliveries_waiting')}`;
const NEXT = new Statement<NextDelivery>(
  ...forEachDatabase(
    'SELECT d.id, d.event_id AS "eventId", d.attempts, d.retry_until AS "retryUntil", d.created_at AS "createdAt", w.url,' +
      ' w.secret, w.former_secret AS "formerSecret", w.former_until AS "formerUntil",' +
      ' (SELECT e.content FROM webhook_events e WHERE e.event_id = d.event_id) AS content' +
      ` FROM ${IN_ORDER} JOIN webhooks w ON w.id = d.webhook_id` +
      " WHERE d.webhook_id = ? AND d.zone_id = ? AND d.status = 'waiting' AND w.enabled = 1 ORDER BY d.number LIMIT 1",
  ),
);
const END = new Statement<unknown>(
  ...forEachDatabase(
    `DELETE FROM webhook_queues WHERE ${OF_CLAIM} AND NOT EXISTS` +
      ` (SELECT 1 FROM ${IN_ORDER} WHERE d.webhook_id = ? AND d.zone_id = ? AND d.status = 'waiting') RETURNING 1 AS gone`,
  ),
);
// Writes an existing row too: a transaction that is about to delete it waits and checks again.
const ADD = new Statement(
  'INSERT INTO webhook_queues (webhook_id, zone_id, next_at) VALUES (?, ?, ?)' +
    ' ON CONFLICT (webhook_id, zone_id) DO UPDATE SET webhook_id = excluded.webhook_id',
);
const HASTEN = new Statement(
  'INSERT INTO webhook_queues (webhook_id, zone_id, next_at) VALUES (?, ?, ?) ON CONFLICT (webhook_id, zone_id) DO UPDATE SET' +
    ' next_at = CASE WHEN webhook_queues.claim IS NULL THEN excluded.next_at ELSE webhook_queues.next_at END',
);
const ZONES = new Statement<{ readonly zoneId: string }>(
  'SELECT zone_id AS "zoneId" FROM webhook_queues WHERE webhook_id = ? AND zone_id > ? ORDER BY zone_id LIMIT ?',
);
const STEP = 200;
const DELETE_SOME = new PortionedDelete({
  table: 'webhook_queues',
  key: ['webhook_id', 'zone_id'],
  where: 'webhook_id = ?',
});

/** A row exists while deliveries wait. Processes claim it for a limited time, and take over expired claims (ADR 50). */
@Injectable()
export class WebhookQueueRepository {
  constructor(private readonly reads: Reads) {}

  /** Yields due queues in portions, longest waiting first. */
  async *due(now: Instant): AsyncGenerator<DueQueue[]> {
    for (let last: DueQueue | undefined = BEFORE_ALL; last !== undefined;) {
      const chunk = await this.dueAfter(last, now);
      yield chunk;
      last = chunk[PORTION - 1];
    }
  }

  private dueAfter({ nextAt, webhookId, zoneId }: DueQueue, now: Instant): Promise<DueQueue[]> {
    return this.reads.run((tx) => DUE.rows(tx, [now, nextAt, webhookId, zoneId]));
  }

  async claim(
    tx: Transaction,
    queues: readonly DueQueue[],
    claim: string,
    { now, until }: { readonly now: Instant; readonly until: Instant },
  ): Promise<ClaimedQueue[]> {
    const claimed: ClaimedQueue[] = [];
    // Sorted to avoid deadlocks.
    for (const queue of queues.toSorted(byKey)) {
      const row = await CLAIM.first(tx, [until, claim, queue.webhookId, queue.zoneId, now]);
      if (row !== undefined) claimed.push({ ...queue, claim });
    }
    return claimed;
  }

  /** Extends the claim, and locks the queue until the end of the transaction. Returns whether the claim exists. */
  async hold(tx: Transaction, { webhookId, zoneId, claim }: ClaimedQueue, until: Instant): Promise<boolean> {
    return (await HOLD.first(tx, [until, webhookId, zoneId, claim])) !== undefined;
  }

  /** Returns the first waiting delivery; `undefined` also for a disabled webhook. */
  first({ webhookId, zoneId }: QueueKey): Promise<NextDelivery | undefined> {
    return this.reads.run((tx) => NEXT.first(tx, [webhookId, zoneId]));
  }

  /** Without a next delivery, deletes the empty queue, or releases it until the webhook is enabled. */
  async nextOrEnd(tx: Transaction, queue: ClaimedQueue): Promise<NextDelivery | undefined> {
    const { webhookId, zoneId, claim } = queue;
    const next = await NEXT.first(tx, [webhookId, zoneId]);
    if (next !== undefined) return next;
    const isGone = (await END.first(tx, [webhookId, zoneId, claim, webhookId, zoneId])) !== undefined;
    if (!isGone) await this.release(tx, queue, NEVER);
    return undefined;
  }

  async release(tx: Transaction, { webhookId, zoneId, claim }: ClaimedQueue, nextAt: Instant): Promise<void> {
    await RELEASE.run(tx, [nextAt, webhookId, zoneId, claim]);
  }

  /** Releases claims, sorted to avoid deadlocks. */
  async releaseAll(tx: Transaction, queues: readonly ClaimedQueue[], nextAt: Instant): Promise<void> {
    for (const queue of queues.toSorted(byKey)) await this.release(tx, queue, nextAt);
  }

  /** Adds a queue; an existing one keeps its due time. */
  async add(tx: Transaction, { webhookId, zoneId }: QueueKey, now: Instant): Promise<void> {
    await ADD.run(tx, [webhookId, zoneId, now]);
  }

  async hasten(tx: Transaction, { webhookId, zoneId }: QueueKey, now: Instant): Promise<void> {
    await HASTEN.run(tx, [webhookId, zoneId, now]);
  }

  /** Makes queues of several zones due now, sorted to avoid deadlocks. */
  async hastenSome(tx: Transaction, webhookId: string, zoneIds: Iterable<string>, now: Instant): Promise<void> {
    for (const [at, zoneId] of [...zoneIds].sort().entries()) {
      await this.hasten(tx, { webhookId, zoneId }, now);
      if (at % STEP === STEP - 1) await nextTurn();
    }
  }

  async hastenAll(tx: Transaction, webhookId: string, now: Instant): Promise<void> {
    for (let after = ''; ;) {
      const zones = (await ZONES.rows(tx, [webhookId, after, STEP])).map(({ zoneId }) => zoneId);
      await this.hastenSome(tx, webhookId, zones, now);
      const last = zones[STEP - 1];
      if (last === undefined) return;
      after = last;
    }
  }

  async deleteSome(tx: Transaction, webhookId: string): Promise<number> {
    return (await DELETE_SOME.rows(tx, [webhookId], STEP)).length;
  }
}

function byKey(one: QueueKey, other: QueueKey): number {
  const [first, second] = [one, other].map(({ webhookId, zoneId }) => `${webhookId} ${zoneId}`) as [string, string];
  return first < second ? -1 : 1;
}
