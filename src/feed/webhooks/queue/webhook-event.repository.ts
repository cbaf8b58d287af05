import { Injectable } from '@nestjs/common';
import { BulkWrite, type Columns, unnest } from '../../../database/statements/bulk-write.js';
import { Statement } from '../../../database/statements/statement.js';
import type { Transaction } from '../../../database/transaction.js';
import { forEachDatabase, indexedBy } from '../../../database/statements/walk.js';
import type { WebhookEventEntity } from './webhook-event.entity.js';

/** Events that are looked at in one statement. */
const PORTION = 200;

const COLUMNS: Columns = { event_id: 'text', tenant_id: 'text', octets: 'integer', content: 'text' };
const INTO = `INSERT INTO webhook_events (${Object.keys(COLUMNS).join(', ')})`;
// Where it is there already, PostgreSQL holds it until the transaction ends, so that nobody removes it meanwhile.
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
// In one order, so that no two processes wait for each other.
const HOLD = forOneOrMany((condition) => {
  const found = `SELECT e.event_id AS "eventId" FROM webhook_events e WHERE ${condition}`;
  return new Statement<{ readonly eventId: string }>(found, `${found} ORDER BY e.event_id FOR UPDATE`);
});
/** Nobody needs what was delivered. */
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

/** For one event, which is what a delivery has, and for up to `PORTION`. */
interface ForOneOrMany<Row> {
  readonly one: Statement<Row>;
  readonly many: Statement<Row>;
}

/** What went. */
export type RemovedEvent = Pick<WebhookEventEntity, 'tenantId' | 'octets'>;

/** What webhooks are sent, which is stored once for all of a tenant. */
@Injectable()
export class WebhookEventRepository {
  /** Stores events, but for those that there are already. Deliveries of them are to be there. Returns what was stored. */
  async insert(tx: Transaction, events: readonly WebhookEventEntity[]): Promise<readonly WebhookEventEntity[]> {
    const held = await this.hold(
      tx,
      events.map(({ eventId }) => eventId),
    );
    const stored = events.filter(({ eventId }) => !held.has(eventId));
    await INSERT.run(
      tx,
      stored.map(({ eventId, tenantId, octets, content }) => [eventId, tenantId, octets, content]),
    );
    return stored;
  }

  /**
   * Removes those of some events that nobody needs any more. Only a statement that begins when they are held sees all deliveries
   * of them: whoever added or settled one meanwhile had them held until it was committed.
   */
  async deleteUnneeded(tx: Transaction, eventIds: readonly string[]): Promise<RemovedEvent[]> {
    const held = [...(await this.hold(tx, eventIds))];
    return inBatches(held, (chunk) => ask(DELETE_UNNEEDED, tx, chunk));
  }

  /** Those that are there; nobody else removes them, or adds deliveries of them, before the transaction ends. */
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

/** With as many values as the statement takes, so that there are two statements for any number. */
function ask<Row>({ one, many }: ForOneOrMany<Row>, tx: Transaction, eventIds: readonly string[]): Promise<Row[]> {
  if (eventIds.length === 1) return one.rows(tx, eventIds);
  return many.rows(
    tx,
    Array.from({ length: PORTION }, (_, at) => eventIds[at] ?? ''),
  );
}
