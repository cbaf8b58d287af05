import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import type { Page } from '../common/page.js';
import { BulkWrite, type Columns, unnest } from '../database/bulk-write.js';
import { PortionedDelete } from '../database/portioned-delete.js';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import { hinted, indexedBy, inKeyOrder } from '../database/walk.js';
import { DELIVERY_STATUSES, type DeliveryEntity, type DeliveryStatus } from './delivery.entity.js';

/** A delivery without what is sent. */
export type ShownDelivery = Omit<DeliveryEntity, 'octets' | 'settledAt'>;

/** What is to be sent to a webhook. */
export type DeliveryDraft = Pick<
  DeliveryEntity,
  'id' | 'webhookId' | 'zoneId' | 'number' | 'eventId' | 'eventType' | 'octets'
> & {
  readonly status: DeliveryStatus;
  readonly fault: string | null;
  readonly createdAt: Instant;
  readonly retryUntil: Instant;
};

export interface DeliveryFilter {
  readonly webhookId: string;
  /** `null`: all. */
  readonly status: DeliveryStatus | null;
}

/** Deliveries of a webhook that have one status. */
export interface WeighedDeliveries {
  readonly webhookId: string;
  readonly status: DeliveryStatus;
  readonly total: number;
  readonly octets: number;
}

/** What is sent, and its weight. */
export type WeighedEvent = Pick<DeliveryEntity, 'eventId' | 'octets'>;

/** How an attempt has ended. */
export interface Attempt {
  readonly id: string;
  readonly status: DeliveryStatus;
  readonly attempts: number;
  readonly answer: number | null;
  readonly fault: string | null;
}

const COLUMNS: Columns = {
  id: 'text',
  webhook_id: 'text',
  zone_id: 'text',
  number: 'bigint',
  event_id: 'text',
  event_type: 'text',
  octets: 'integer',
  status: 'text',
  attempts: 'integer',
  retry_until: 'bigint',
  fault: 'text',
  created_at: 'bigint',
  settled_at: 'bigint',
};
const INTO = `INSERT INTO webhook_deliveries (${Object.keys(COLUMNS).join(', ')})`;
/** What is there already has come before. */
const UNLESS_THERE = 'ON CONFLICT (webhook_id, zone_id, number) DO NOTHING';
const INSERT = new BulkWrite({
  columns: COLUMNS,
  sqlite: {
    sql: `${INTO} VALUES (${Object.keys(COLUMNS)
      .map(() => '?')
      .join(', ')}) ${UNLESS_THERE}`,
  },
  postgres: (arrays) => `${INTO} SELECT * FROM ${unnest(arrays)} ${UNLESS_THERE}`,
});
const WEIGH = new Statement<WeighedDeliveries>(
  'SELECT d.webhook_id AS "webhookId", d.status, COUNT(*) AS total, SUM(d.octets) AS octets FROM webhooks w' +
    " JOIN webhook_deliveries d ON d.webhook_id = w.id AND d.status IN ('waiting', 'dead')" +
    ' WHERE w.tenant_id = ? GROUP BY d.webhook_id, d.status',
);
const SETTLE = new Statement(
  'UPDATE webhook_deliveries SET status = ?, attempts = ?, answer = ?, fault = ?, attempted_at = ?, settled_at = ? WHERE id = ?' +
    " AND status <> 'delivered'",
);
const DELIVER = new Statement(
  "UPDATE webhook_deliveries SET status = 'delivered', attempts = ?, answer = ?, fault = NULL, attempted_at = ?, settled_at = ?," +
    ' octets = 0 WHERE id = ?',
);
const SHOWN =
  'id, webhook_id AS "webhookId", zone_id AS "zoneId", number, event_id AS "eventId", event_type AS "eventType", status,' +
  ' attempts, retry_until AS "retryUntil", answer, fault, created_at AS "createdAt", attempted_at AS "attemptedAt"';
/** SQLite is not to sort all that a webhook was sent. */
const PAGE_BY_STATUS = hinted<ShownDelivery>(
  `SELECT ${SHOWN} FROM webhook_deliveries${indexedBy('webhook_deliveries_by_status')}` +
    ' WHERE webhook_id = ? AND status = ? AND id > ? ORDER BY id LIMIT ?',
);
const FIND = new Statement<ShownDelivery>(`SELECT ${SHOWN} FROM webhook_deliveries WHERE webhook_id = ? AND id = ?`);
const AGAIN =
  "UPDATE webhook_deliveries SET status = 'waiting', attempts = 0, retry_until = ?, settled_at = ? WHERE webhook_id = ?";
const REPLAY = new Statement<{ readonly zoneId: string }>(
  `${AGAIN} AND id = ? AND status <> 'delivered' RETURNING zone_id AS "zoneId"`,
);
const REPLAY_DEAD = new Statement<{ readonly zoneId: string }>(
  `${AGAIN} AND status = 'dead' RETURNING zone_id AS "zoneId"`,
);
const AT_A_TIME = 500;
const DELIVERIES = { table: 'webhook_deliveries', key: ['id'] };
const OLDEST_DEAD = "FROM webhook_deliveries WHERE webhook_id = ? AND status = 'dead' ORDER BY id LIMIT 100";
const DELETED = 'event_id AS "eventId", octets';
const DELETE_OLDEST_DEAD = new Statement<WeighedEvent>(
  `DELETE FROM webhook_deliveries WHERE id IN (SELECT id ${OLDEST_DEAD}) RETURNING ${DELETED}`,
  `DELETE FROM webhook_deliveries WHERE ctid = ANY (ARRAY (SELECT ctid ${OLDEST_DEAD})) RETURNING ${DELETED}`,
);
const DELETE_SETTLED = new PortionedDelete({ ...DELIVERIES, where: 'status = ? AND settled_at < ?' });
const DELETE_ORPHANED = new PortionedDelete({ ...DELIVERIES, where: 'webhook_id NOT IN (SELECT id FROM webhooks)' });

/** What webhooks are to be sent, and what became of it. */
@Injectable()
export class DeliveryRepository {
  constructor(private readonly reads: Reads) {}

  /** Adds deliveries, but for those that there are already. */
  async insert(tx: Transaction, drafts: readonly DeliveryDraft[]): Promise<void> {
    const rows = drafts.map((draft) => {
      const { id, webhookId, zoneId, number, eventId, eventType, octets, status, retryUntil, fault, createdAt } = draft;
      return [
        ...[id, webhookId, zoneId, number, eventId, eventType, octets],
        ...[status, 0, retryUntil, fault, createdAt, createdAt],
      ];
    });
    await INSERT.run(tx, rows);
  }

  /** What waits for the webhooks of a tenant, and their dead letters. */
  weigh(tx: Transaction, tenantId: string): Promise<WeighedDeliveries[]> {
    return WEIGH.rows(tx, [tenantId]);
  }

  /** Removes some of the oldest dead letters of a webhook, 100 at most. Returns what they were of. */
  deleteOldestDead(tx: Transaction, webhookId: string): Promise<WeighedEvent[]> {
    return DELETE_OLDEST_DEAD.rows(tx, [webhookId]);
  }

  async settle(tx: Transaction, { id, status, attempts, answer, fault }: Attempt, at: Instant): Promise<void> {
    if (status === 'delivered') await DELIVER.run(tx, [attempts, answer, at, at, id]);
    else await SETTLE.run(tx, [status, attempts, answer, fault, at, at, id]);
  }

  /** In the order of their ids, those behind `marker`. */
  page({ webhookId, status }: DeliveryFilter, marker: string, limit: number): Promise<Page<ShownDelivery>> {
    return this.reads.run(async (tx) => {
      const entries: ShownDelivery[] = [];
      // The index has those of one status in the order of their ids.
      for (const one of status === null ? DELIVERY_STATUSES : [status])
        entries.push(...(await inKeyOrder(tx, () => PAGE_BY_STATUS.rows(tx, [webhookId, one, marker, limit]))));
      entries.sort((one, other) => (one.id < other.id ? -1 : 1));
      return { entries: entries.slice(0, limit), isLast: entries.length < limit };
    });
  }

  find(tx: Transaction, webhookId: string, id: string): Promise<ShownDelivery | undefined> {
    return FIND.first(tx, [webhookId, id]);
  }

  /** Lets one wait as if it were new. Returns its zone; `undefined` where there is none of this id that was not delivered. */
  async replay(
    tx: Transaction,
    webhookId: string,
    id: string,
    until: Instant,
    at: Instant,
  ): Promise<string | undefined> {
    return (await REPLAY.first(tx, [until, at, webhookId, id]))?.zoneId;
  }

  /** Lets all dead ones wait again. Returns the zone of each. */
  async replayDead(tx: Transaction, webhookId: string, until: Instant, at: Instant): Promise<string[]> {
    return (await REPLAY_DEAD.rows(tx, [until, at, webhookId])).map(({ zoneId }) => zoneId);
  }

  /** Removes some of those that came to their status before. Returns whether there may be more. */
  deleteSettled(tx: Transaction, status: DeliveryStatus, before: Instant): Promise<boolean> {
    return DELETE_SETTLED.run(tx, [status, before], AT_A_TIME);
  }

  /** The same of those whose webhook has been deleted. */
  deleteOrphaned(tx: Transaction): Promise<boolean> {
    return DELETE_ORPHANED.run(tx, [], AT_A_TIME);
  }
}
