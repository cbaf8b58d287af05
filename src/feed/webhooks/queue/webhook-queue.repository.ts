import { Injectable } from '@nestjs/common';
import type { Instant } from '../../../common/clock.js';
import { nextTurn } from '../../../common/waiting/event-loop-turns.js';
import { PortionedDelete } from '../../../database/statements/portioned-delete.js';
import { Reads } from '../../../database/reads.js';
import { Statement } from '../../../database/statements/statement.js';
import type { Transaction } from '../../../database/transaction.js';
import { forEachDatabase, indexedBy } from '../../../database/statements/walk.js';

/** What waits for one webhook and one zone. */
export interface QueueKey {
  readonly webhookId: string;
  readonly zoneId: string;
}

/** The same, whose next attempt is due. */
export interface DueQueue extends QueueKey {
  /** Empty where the webhook was deleted meanwhile. */
  readonly tenantId: string;
  readonly nextAt: Instant;
}

/** The same, claimed by whoever sends it. */
export interface ClaimedQueue extends DueQueue {
  readonly claim: string;
}

/** What is to be sent next, and to where. */
export interface NextDelivery {
  readonly id: string;
  readonly eventId: string;
  /** As `queued-message.ts` writes it. */
  readonly content: string;
  readonly attempts: number;
  readonly retryUntil: Instant;
  readonly createdAt: Instant;
  readonly url: string;
  readonly secret: string;
  readonly formerSecret: string | null;
  readonly formerUntil: Instant | null;
}

/** Queues in a portion of those that are due. */
const PORTION = 256;
const BEFORE_ALL: DueQueue = { nextAt: -1, webhookId: '', zoneId: '', tenantId: '' };
/** When a queue is due whose webhook is disabled. */
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
/** Whatever else waits for the webhook, or was delivered for the zone, SQLite is not to look at it. */
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
// It is written even where it stays as it is: whoever is about to end it waits for this transaction, and looks again.
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
/** Queues of a webhook that are written before others have a turn. */
const STEP = 200;
const DELETE_SOME = new PortionedDelete({
  table: 'webhook_queues',
  key: ['webhook_id', 'zone_id'],
  where: 'webhook_id = ?',
});

/**
 * Whose turn it is. A queue has a row while deliveries of a webhook for a zone wait. Whoever sends them has claimed the row
 * until a time, over all processes: what it leaves behind when it dies is another's from then on (ADR 50).
 */
@Injectable()
export class WebhookQueueRepository {
  constructor(private readonly reads: Reads) {}

  /** Those that are due, the longest waiting first, in portions. */
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

  /** Takes those that nobody else has taken. */
  async claim(
    tx: Transaction,
    queues: readonly DueQueue[],
    claim: string,
    { now, until }: { readonly now: Instant; readonly until: Instant },
  ): Promise<ClaimedQueue[]> {
    const claimed: ClaimedQueue[] = [];
    // In one order, so that no two processes wait for each other.
    for (const queue of queues.toSorted(byKey)) {
      const row = await CLAIM.first(tx, [until, claim, queue.webhookId, queue.zoneId, now]);
      if (row !== undefined) claimed.push({ ...queue, claim });
    }
    return claimed;
  }

  /** Keeps a claim for longer, and nobody adds to the queue before the transaction ends. Returns whether it is still ours. */
  async hold(tx: Transaction, { webhookId, zoneId, claim }: ClaimedQueue, until: Instant): Promise<boolean> {
    return (await HOLD.first(tx, [until, webhookId, zoneId, claim])) !== undefined;
  }

  /** The first that waits; `undefined` also where the webhook is disabled. */
  first({ webhookId, zoneId }: QueueKey): Promise<NextDelivery | undefined> {
    return this.reads.run((tx) => NEXT.first(tx, [webhookId, zoneId]));
  }

  /**
   * The same of a queue that this transaction holds. Where nothing can be sent, the claim is given back: because nothing waits, or
   * until the webhook is enabled again.
   */
  async nextOrEnd(tx: Transaction, queue: ClaimedQueue): Promise<NextDelivery | undefined> {
    const { webhookId, zoneId, claim } = queue;
    const next = await NEXT.first(tx, [webhookId, zoneId]);
    if (next !== undefined) return next;
    const isGone = (await END.first(tx, [webhookId, zoneId, claim, webhookId, zoneId])) !== undefined;
    if (!isGone) await this.release(tx, queue, NEVER);
    return undefined;
  }

  /** Gives a claim back. */
  async release(tx: Transaction, { webhookId, zoneId, claim }: ClaimedQueue, nextAt: Instant): Promise<void> {
    await RELEASE.run(tx, [nextAt, webhookId, zoneId, claim]);
  }

  /** Gives claims back, in one order for all processes. */
  async releaseAll(tx: Transaction, queues: readonly ClaimedQueue[], nextAt: Instant): Promise<void> {
    for (const queue of queues.toSorted(byKey)) await this.release(tx, queue, nextAt);
  }

  /** Notes that something waits; a queue that is there keeps its time. */
  async add(tx: Transaction, { webhookId, zoneId }: QueueKey, now: Instant): Promise<void> {
    await ADD.run(tx, [webhookId, zoneId, now]);
  }

  /** The same, and it is due now. */
  async hasten(tx: Transaction, { webhookId, zoneId }: QueueKey, now: Instant): Promise<void> {
    await HASTEN.run(tx, [webhookId, zoneId, now]);
  }

  /** The same of several zones, in one order for all processes. */
  async hastenSome(tx: Transaction, webhookId: string, zoneIds: Iterable<string>, now: Instant): Promise<void> {
    for (const [at, zoneId] of [...zoneIds].sort().entries()) {
      await this.hasten(tx, { webhookId, zoneId }, now);
      if (at % STEP === STEP - 1) await nextTurn();
    }
  }

  /** Whatever waits for the webhook is due now. */
  async hastenAll(tx: Transaction, webhookId: string, now: Instant): Promise<void> {
    for (let after = ''; ;) {
      const zones = (await ZONES.rows(tx, [webhookId, after, STEP])).map(({ zoneId }) => zoneId);
      await this.hastenSome(tx, webhookId, zones, now);
      const last = zones[STEP - 1];
      if (last === undefined) return;
      after = last;
    }
  }

  /** Removes some of a webhook. Returns how many. */
  async deleteSome(tx: Transaction, webhookId: string): Promise<number> {
    return (await DELETE_SOME.rows(tx, [webhookId], STEP)).length;
  }
}

function byKey(one: QueueKey, other: QueueKey): number {
  const [first, second] = [one, other].map(({ webhookId, zoneId }) => `${webhookId} ${zoneId}`) as [string, string];
  return first < second ? -1 : 1;
}
