import { Injectable } from '@nestjs/common';
import { BulkWrite, unnest } from '../../../database/statements/bulk-write.js';
import { Statement } from '../../../database/statements/statement.js';
import type { Transaction } from '../../../database/transaction.js';
import { forEachDatabase, indexedBy } from '../../../database/statements/walk.js';
import type { WebhookEventEntity } from './webhook-queue.entity.js';

const PORTION = 200;

const COLUMNS = { event_id: 'text', tenant_id: 'text', octets: 'integer', content: 'text' } as const;
const INTO = `INSERT INTO webhook_events (${Object.keys(COLUMNS).join(', ')})`;
// On conflict, PostgreSQL locks the event until the end of the transaction, so that it cannot be deleted.
const INSERT = new BulkWrite({
  columns: COLUMNS,
  sqlite: { sql: `${INTO} VALUES (?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING` },
  postgres: (arrays) =>
    `${INTO} SELECT * FROM ${unnest(arrays)} ON CONFLICT (event_id) DO UPDATE SET event_id = excluded.event_id`,
});
const some = (count: number): string => `e.event_id IN (${Array(count).fill('?').join(', ')})`;
const forOneOrMany = <Row>(make: (condition: string) => Statement<Row>): ForOneOrMany<Row> => ({
  one: make(some(1)),
  many: make(some(PORTION)),
});
// Sorted to avoid deadlocks.
const HOLD = forOneOrMany((condition) => {
  const found = `SELECT e.event_id AS "eventId" FROM webhook_events e WHERE ${condition}`;
  return new Statement<{ readonly eventId: string }>(found, `${found} ORDER BY e.event_id FOR UPDATE`);
});
/** Delivered events are not needed. */
const DELETE_UNNEEDED = forOneOrMany(
  (condition) =>
    new Statement<RemovedEvent>(
      ...forEachDatabase(
        `DELETE FROM webhook_events AS e WHERE ${condition} AND NOT EXISTS` +
          ` (SELECT 1 FROM webhook_deliveries d${indexedBy('webhook_deliveries_of_event')}` +
          ` WHERE d.event_id = e.event_id AND d.status <> 'delivered') RETURNING tenant_id AS "tenantId", octets`,
      ),
    ),
);

/** Statements for one event, the common case, and for up to `PORTION`. */
interface ForOneOrMany<Row> {
  readonly one: Statement<Row>;
  readonly many: Statement<Row>;
}

export type RemovedEvent = Pick<WebhookEventEntity, 'tenantId' | 'octets'>;

@Injectable()
export class WebhookEventRepository {
  /** Adds missing events and returns them. Their deliveries have to exist. */
  async insert(tx: Transaction, events: readonly WebhookEventEntity[]): Promise<readonly WebhookEventEntity[]> {
    const eventIds = events.map(({ eventId }) => eventId);
    const held = await this.hold(tx, eventIds);
    const stored = events.filter(({ eventId }) => !held.has(eventId));
    await INSERT.runAll(tx, stored);
    return stored;
  }

  /** A statement that starts after the lock sees all deliveries: writers hold that lock until their commit. */
  async deleteUnneeded(tx: Transaction, eventIds: readonly string[]): Promise<RemovedEvent[]> {
    const held = [...(await this.hold(tx, eventIds))];
    return inBatches(held, (chunk) => ask(DELETE_UNNEEDED, tx, chunk));
  }

  private async hold(tx: Transaction, eventIds: readonly string[]): Promise<Set<string>> {
    const sorted = [...new Set(eventIds)].sort();
    const held = await inBatches(sorted, (chunk) => ask(HOLD, tx, chunk));
    return new Set(held.map(({ eventId }) => eventId));
  }
}

async function inBatches<Row>(
  eventIds: readonly string[],
  work: (chunk: readonly string[]) => Promise<Row[]>,
): Promise<Row[]> {
  const rows: Row[] = [];
  for (let at = 0; at < eventIds.length; at += PORTION) rows.push(...(await work(eventIds.slice(at, at + PORTION))));
  return rows;
}

/** Pads the values, so that two statements suffice for any number. */
function ask<Row>({ one, many }: ForOneOrMany<Row>, tx: Transaction, eventIds: readonly string[]): Promise<Row[]> {
  if (eventIds.length === 1) return one.rows(tx, eventIds);
  const values = Array.from({ length: PORTION }, (_, at) => eventIds[at] ?? '');
  return many.rows(tx, values);
}
