import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import type { Page } from '../../common/page.js';
import { BulkWrite, type Columns, unnest } from '../../database/statements/bulk-write.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { hinted, indexedBy, inKeyOrder } from '../../database/statements/walk.js';
import { DELIVERY_STATUSES, type DeliveryEntity, type DeliveryStatus } from './delivery.entity.js';

/** A delivery without what is sent. */
export type DeliveryView = Omit<DeliveryEntity, 'octets' | 'settledAt'>;

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

/** What is sent, and its weight. */
export type WeighedEvent = Pick<DeliveryEntity, 'eventId' | 'octets'>;

/** What the sums count of a delivery. */
export type CountedDelivery = Pick<DeliveryEntity, 'webhookId' | 'status'> & WeighedEvent;

/** What was replayed. */
export type ReplayedDelivery = Pick<DeliveryEntity, 'zoneId' | 'octets'>;

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
/** A delivery that exists already was queued by an earlier run. */
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
const COUNTED = 'webhook_id AS "webhookId", status, event_id AS "eventId", octets';
const FIND_COUNTED = `SELECT ${COUNTED} FROM webhook_deliveries WHERE id = ?`;
const HOLD = new Statement<CountedDelivery>(FIND_COUNTED, `${FIND_COUNTED} FOR UPDATE`);
const NUMBERS = new Statement<{ readonly number: number }>(
  'SELECT number FROM webhook_deliveries WHERE webhook_id = ? AND zone_id = ? AND number >= ? AND number <= ?',
);
const SETTLE = new Statement(
  'UPDATE webhook_deliveries SET status = ?, attempts = ?, answer = ?, fault = ?, attempted_at = ?, settled_at = ? WHERE id = ?',
);
const DELIVER = new Statement(
  "UPDATE webhook_deliveries SET status = 'delivered', attempts = ?, answer = ?, fault = NULL, attempted_at = ?, settled_at = ?," +
    ' octets = 0 WHERE id = ?',
);
const SHOWN =
  'id, webhook_id AS "webhookId", zone_id AS "zoneId", number, event_id AS "eventId", event_type AS "eventType", status,' +
  ' attempts, retry_until AS "retryUntil", answer, fault, created_at AS "createdAt", attempted_at AS "attemptedAt"';
/** Otherwise SQLite would sort all deliveries of a webhook. */
const PAGE_BY_STATUS = hinted<DeliveryView>(
  `SELECT ${SHOWN} FROM webhook_deliveries${indexedBy('webhook_deliveries_by_status')}` +
    ' WHERE webhook_id = ? AND status = ? AND id > ? ORDER BY id LIMIT ?',
);
const FIND = new Statement<DeliveryView>(`SELECT ${SHOWN} FROM webhook_deliveries WHERE webhook_id = ? AND id = ?`);
const AGAIN = "UPDATE webhook_deliveries SET status = 'waiting', attempts = 0, retry_until = ?, settled_at = ?";
const REPLAY = new Statement(`${AGAIN} WHERE id = ?`);
/** Rows that one statement writes: SQLite stops everybody for as long. */
const AT_A_TIME = 200;
const someDead = (what: string, index: string): string =>
  `SELECT ${what} FROM webhook_deliveries ${index} WHERE webhook_id = ? AND status = 'dead' ORDER BY id LIMIT ${AT_A_TIME}`;
const REPLAYED = 'zone_id AS "zoneId", octets';
const REPLAY_DEAD = new Statement<ReplayedDelivery>(
  `${AGAIN} WHERE id IN (${someDead('id', 'INDEXED BY webhook_deliveries_by_status')}) RETURNING ${REPLAYED}`,
  `${AGAIN} WHERE ctid = ANY (ARRAY (${someDead('ctid', '')})) RETURNING ${REPLAYED}`,
);
const DELIVERIES = { table: 'webhook_deliveries', key: ['id'], returning: COUNTED };
const DELETE_OLDEST = new PortionedDelete<CountedDelivery>({
  ...DELIVERIES,
  where: 'webhook_id = ? AND status = ?',
  index: 'webhook_deliveries_by_status',
  orderBy: 'id',
});
const DELETE_SETTLED = new PortionedDelete<CountedDelivery>({
  ...DELIVERIES,
  where: 'status = ? AND settled_at < ?',
  index: 'webhook_deliveries_by_time',
});
const DELETE_OF_WEBHOOK = new PortionedDelete<CountedDelivery>({ ...DELIVERIES, where: 'webhook_id = ?' });

/** What webhooks are to be sent, and what became of it. Whatever changes it is for `DeliveryLedger`, which writes the sums. */
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

  /** Which of the steps of a zone from `first` to `last` a webhook has deliveries of. */
  async numbersIn(tx: Transaction, webhookId: string, zoneId: string, first: number, last: number): Promise<number[]> {
    return (await NUMBERS.rows(tx, [webhookId, zoneId, first, last])).map(({ number }) => number);
  }

  /** Nobody changes it before the transaction ends. */
  hold(tx: Transaction, id: string): Promise<CountedDelivery | undefined> {
    return HOLD.first(tx, [id]);
  }

  async settle(tx: Transaction, { id, status, attempts, answer, fault }: Attempt, at: Instant): Promise<void> {
    if (status === 'delivered') await DELIVER.run(tx, [attempts, answer, at, at, id]);
    else await SETTLE.run(tx, [status, attempts, answer, fault, at, at, id]);
  }

  /** In the order of their ids, those behind `marker`. */
  page({ webhookId, status }: DeliveryFilter, marker: string, limit: number): Promise<Page<DeliveryView>> {
    return this.reads.run(async (tx) => {
      const entries: DeliveryView[] = [];
      // The index has those of one status in the order of their ids.
      for (const one of status === null ? DELIVERY_STATUSES : [status])
        entries.push(...(await inKeyOrder(tx, () => PAGE_BY_STATUS.rows(tx, [webhookId, one, marker, limit]))));
      entries.sort((one, other) => (one.id < other.id ? -1 : 1));
      return { entries: entries.slice(0, limit), isLast: entries.length < limit };
    });
  }

  find(tx: Transaction, webhookId: string, id: string): Promise<DeliveryView | undefined> {
    return FIND.first(tx, [webhookId, id]);
  }

  /** Queues one again like a new one. */
  async replay(tx: Transaction, id: string, until: Instant, at: Instant): Promise<void> {
    await REPLAY.run(tx, [until, at, id]);
  }

  /** The same of some of the dead letters of a webhook; none: there are no more. */
  replayDead(tx: Transaction, webhookId: string, until: Instant, at: Instant): Promise<ReplayedDelivery[]> {
    return REPLAY_DEAD.rows(tx, [until, at, webhookId]);
  }

  /** Removes some of the oldest dead letters of a webhook. */
  deleteOldestDead(tx: Transaction, webhookId: string): Promise<CountedDelivery[]> {
    return DELETE_OLDEST.rows(tx, [webhookId, 'dead'], AT_A_TIME);
  }

  /** Removes some of those that came to their status before. */
  deleteSettled(tx: Transaction, status: DeliveryStatus, before: Instant): Promise<CountedDelivery[]> {
    return DELETE_SETTLED.rows(tx, [status, before], AT_A_TIME);
  }

  /** Removes some of a webhook. */
  deleteOf(tx: Transaction, webhookId: string): Promise<CountedDelivery[]> {
    return DELETE_OF_WEBHOOK.rows(tx, [webhookId], AT_A_TIME);
  }
}
