import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import { Reads } from '../database/reads.js';
import { ManyStatement, Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';

/** What waits for one webhook and one zone. */
export interface QueueKey {
  readonly webhookId: string;
  readonly zoneId: string;
}

/** The same, claimed by whoever sends it. */
export interface ClaimedQueue extends QueueKey {
  readonly claim: string;
}

/** What is to be sent next, and to where. */
export interface NextDelivery {
  readonly id: string;
  readonly eventId: string;
  readonly body: string;
  readonly attempts: number;
  readonly retryUntil: Instant;
  readonly createdAt: Instant;
  readonly url: string;
  readonly secret: string;
  readonly formerSecret: string | null;
  readonly formerUntil: Instant | null;
}

/** More than any process starts at a time, so that a webhook that is behind does not hide the others. */
const LOOKED_AT = 256;
/** When a queue is due whose webhook is disabled. */
const NEVER: Instant = Number.MAX_SAFE_INTEGER;

const OF_KEY = 'webhook_id = ? AND zone_id = ?';
const OF_CLAIM = `${OF_KEY} AND claim = ?`;
const DUE = new ManyStatement<QueueKey>(
  (marks) =>
    'SELECT webhook_id AS "webhookId", zone_id AS "zoneId" FROM webhook_queues' +
    ` WHERE next_at <= ? AND webhook_id NOT IN (${marks}) ORDER BY next_at LIMIT ${LOOKED_AT}`,
);
const CLAIM = new Statement<QueueKey>(
  `UPDATE webhook_queues SET next_at = ?, claim = ? WHERE ${OF_KEY} AND next_at <= ?` +
    ' RETURNING webhook_id AS "webhookId", zone_id AS "zoneId"',
);
const HOLD = new Statement<unknown>(`UPDATE webhook_queues SET next_at = ? WHERE ${OF_CLAIM} RETURNING 1 AS held`);
const RELEASE = new Statement(`UPDATE webhook_queues SET next_at = ?, claim = NULL WHERE ${OF_CLAIM}`);
const NEXT = new Statement<NextDelivery>(
  'SELECT d.id, d.event_id AS "eventId", d.body, d.attempts, d.retry_until AS "retryUntil", d.created_at AS "createdAt", w.url,' +
    ' w.secret, w.former_secret AS "formerSecret", w.former_until AS "formerUntil"' +
    ' FROM webhook_deliveries d JOIN webhooks w ON w.id = d.webhook_id' +
    " WHERE d.webhook_id = ? AND d.zone_id = ? AND d.status = 'waiting' AND w.enabled = 1 ORDER BY d.number LIMIT 1",
);
const END = new Statement<unknown>(
  `DELETE FROM webhook_queues WHERE ${OF_CLAIM} AND NOT EXISTS` +
    ` (SELECT 1 FROM webhook_deliveries d WHERE d.webhook_id = ? AND d.zone_id = ? AND d.status = 'waiting') RETURNING 1 AS gone`,
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
const HASTEN_ALL = new Statement(
  'UPDATE webhook_queues SET next_at = CASE WHEN claim IS NULL THEN ? ELSE next_at END WHERE webhook_id = ?',
);
const DELETE_ALL = new Statement('DELETE FROM webhook_queues WHERE webhook_id = ?');

/**
 * Whose turn it is. A queue has a row while deliveries of a webhook for a zone wait. Whoever sends them has claimed the row
 * until a time, over all processes: what it leaves behind when it dies is another's from then on (ADR 50).
 */
@Injectable()
export class WebhookQueueRepository {
  constructor(private readonly reads: Reads) {}

  /** Those that are due, the longest waiting first. */
  due(now: Instant, without: readonly string[]): Promise<QueueKey[]> {
    return this.reads.run((tx) => DUE.rows(tx, [now], ['', ...without]));
  }

  /** Takes those that nobody else has taken. */
  async claim(
    tx: Transaction,
    keys: readonly QueueKey[],
    claim: string,
    { now, until }: { readonly now: Instant; readonly until: Instant },
  ): Promise<ClaimedQueue[]> {
    const claimed: ClaimedQueue[] = [];
    // In one order, so that no two processes wait for each other.
    for (const { webhookId, zoneId } of keys.toSorted(byKey)) {
      const row = await CLAIM.first(tx, [until, claim, webhookId, zoneId, now]);
      if (row !== undefined) claimed.push({ ...row, claim });
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

  /** Notes that something waits; a queue that is there keeps its time. */
  async add(tx: Transaction, { webhookId, zoneId }: QueueKey, now: Instant): Promise<void> {
    await ADD.run(tx, [webhookId, zoneId, now]);
  }

  /** The same, and it is due now. */
  async hasten(tx: Transaction, { webhookId, zoneId }: QueueKey, now: Instant): Promise<void> {
    await HASTEN.run(tx, [webhookId, zoneId, now]);
  }

  /** Whatever waits for the webhook is due now. */
  async hastenAll(tx: Transaction, webhookId: string, now: Instant): Promise<void> {
    await HASTEN_ALL.run(tx, [now, webhookId]);
  }

  async deleteAll(tx: Transaction, webhookId: string): Promise<void> {
    await DELETE_ALL.run(tx, [webhookId]);
  }
}

function byKey(one: QueueKey, other: QueueKey): number {
  const [first, second] = [one, other].map(({ webhookId, zoneId }) => `${webhookId} ${zoneId}`) as [string, string];
  return first < second ? -1 : 1;
}
