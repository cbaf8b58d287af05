import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import type { Page } from '../../common/collection-query.js';
import { bulkInsert } from '../../database/statements/bulk-write.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { hinted, indexedBy, inKeyOrder } from '../../database/statements/walk.js';
import { DELIVERY_STATUSES, type DeliveryEntity, type DeliveryStatus } from './delivery.entity.js';

export type DeliveryView = Omit<DeliveryEntity, 'octets' | 'settledAt'>;

export type DeliveryDraft = Omit<DeliveryEntity, 'attempts' | 'answer' | 'attemptedAt' | 'settledAt'>;

export interface DeliveryFilter {
  readonly webhookId: string;
  /** `null`: all. */
  readonly status: DeliveryStatus | null;
}

export type WeighedEvent = Pick<DeliveryEntity, 'eventId' | 'octets'>;

export type CountedDelivery = Pick<DeliveryEntity, 'webhookId' | 'status'> & WeighedEvent;

export type ReplayedDelivery = Pick<DeliveryEntity, 'zoneId' | 'octets'>;

export type Attempt = Pick<DeliveryEntity, 'id' | 'status' | 'attempts' | 'answer' | 'fault'>;

const INSERT = bulkInsert(
  'webhook_deliveries',
  {
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
  },
  // An existing delivery was queued by an earlier run.
  'ON CONFLICT (webhook_id, zone_id, number) DO NOTHING',
);
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
/** SQLite would otherwise sort all deliveries of a webhook. */
const PAGE_BY_STATUS = hinted<DeliveryView>(
  `SELECT ${SHOWN} FROM webhook_deliveries${indexedBy('webhook_deliveries_by_status')}` +
    ' WHERE webhook_id = ? AND status = ? AND id > ? ORDER BY id LIMIT ?',
);
const FIND = new Statement<DeliveryView>(`SELECT ${SHOWN} FROM webhook_deliveries WHERE webhook_id = ? AND id = ?`);
const AGAIN = "UPDATE webhook_deliveries SET status = 'waiting', attempts = 0, retry_until = ?, settled_at = ?";
const REPLAY = new Statement(`${AGAIN} WHERE id = ?`);
/** Rows per statement, because a statement blocks SQLite. */
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

/** Stores deliveries. Write only through `DeliveryLedger`, which maintains the usage counters. */
@Injectable()
export class DeliveryRepository {
  constructor(private readonly reads: Reads) {}

  async insert(tx: Transaction, drafts: readonly DeliveryDraft[]): Promise<void> {
    const rows = drafts.map((draft) => ({ ...draft, attempts: 0, settledAt: draft.createdAt }));
    await INSERT.runAll(tx, rows);
  }

  /** Returns the step numbers of a zone, from `first` to `last`, that have deliveries to a webhook. */
  async numbersIn(tx: Transaction, webhookId: string, zoneId: string, first: number, last: number): Promise<number[]> {
    return (await NUMBERS.rows(tx, [webhookId, zoneId, first, last])).map(({ number }) => number);
  }

  /** Locks the delivery until the end of the transaction. */
  hold(tx: Transaction, id: string): Promise<CountedDelivery | undefined> {
    return HOLD.first(tx, [id]);
  }

  async settle(tx: Transaction, { id, status, attempts, answer, fault }: Attempt, at: Instant): Promise<void> {
    if (status === 'delivered') await DELIVER.run(tx, [attempts, answer, at, at, id]);
    else await SETTLE.run(tx, [status, attempts, answer, fault, at, at, id]);
  }

  page({ webhookId, status }: DeliveryFilter, marker: string, limit: number): Promise<Page<DeliveryView>> {
    return this.reads.run(async (tx) => {
      const entries: DeliveryView[] = [];
      // The index is sorted by status and ID.
      for (const one of status === null ? DELIVERY_STATUSES : [status])
        entries.push(...(await inKeyOrder(tx, () => PAGE_BY_STATUS.rows(tx, [webhookId, one, marker, limit]))));
      entries.sort((one, other) => (one.id < other.id ? -1 : 1));
      return { entries: entries.slice(0, limit), isLast: entries.length < limit };
    });
  }

  find(tx: Transaction, webhookId: string, id: string): Promise<DeliveryView | undefined> {
    return FIND.first(tx, [webhookId, id]);
  }

  async replay(tx: Transaction, id: string, until: Instant, at: Instant): Promise<void> {
    await REPLAY.run(tx, [until, at, id]);
  }

  /** Queues some dead letters of a webhook again; returns none at the end. */
  replayDead(tx: Transaction, webhookId: string, until: Instant, at: Instant): Promise<ReplayedDelivery[]> {
    return REPLAY_DEAD.rows(tx, [until, at, webhookId]);
  }

  deleteOldestDead(tx: Transaction, webhookId: string): Promise<CountedDelivery[]> {
    return DELETE_OLDEST.rows(tx, [webhookId, 'dead'], AT_A_TIME);
  }

  deleteSettled(tx: Transaction, status: DeliveryStatus, before: Instant): Promise<CountedDelivery[]> {
    return DELETE_SETTLED.rows(tx, [status, before], AT_A_TIME);
  }

  deleteOf(tx: Transaction, webhookId: string): Promise<CountedDelivery[]> {
    return DELETE_OF_WEBHOOK.rows(tx, [webhookId], AT_A_TIME);
  }
}
