import { Injectable } from '@nestjs/common';
import { BulkWrite, type Columns, unnest } from '../database/bulk-write.js';
import { Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import type { WebhookEventEntity } from './webhook-event.entity.js';

/** Events that are looked at in one statement. */
const PORTION = 200;

const COLUMNS: Columns = { event_id: 'text', tenant_id: 'text', octets: 'integer', body: 'text' };
const INTO = `INSERT INTO webhook_events (${Object.keys(COLUMNS).join(', ')})`;
// Where it is there already, PostgreSQL holds it until the transaction ends, so that nobody removes it meanwhile.
const INSERT = new BulkWrite({
  columns: COLUMNS,
  sqlite: { sql: `${INTO} VALUES (?, ?, ?, ?) ON CONFLICT (event_id) DO NOTHING` },
  postgres: (arrays) =>
    `${INTO} SELECT * FROM ${unnest(arrays)} ON CONFLICT (event_id) DO UPDATE SET event_id = excluded.event_id`,
});
/** Nobody needs what was delivered, nor what was for webhooks that are gone. SQLite is to begin with the deliveries. */
const IS_NEEDED =
  'EXISTS (SELECT 1 FROM webhook_deliveries d CROSS JOIN webhooks w' +
  " WHERE d.event_id = e.event_id AND d.status <> 'delivered' AND w.id = d.webhook_id)";
const SOME = `e.event_id IN (${Array(PORTION).fill('?').join(', ')})`;
const WEIGH = new Statement<Weight>(
  `SELECT COALESCE(SUM(e.octets), 0) AS octets FROM webhook_events e WHERE e.tenant_id = ? AND ${IS_NEEDED}`,
);
const WEIGH_UNNEEDED = new Statement<Weight>(
  `SELECT COALESCE(SUM(e.octets), 0) AS octets FROM webhook_events e WHERE ${SOME} AND e.tenant_id = ? AND NOT ${IS_NEEDED}`,
);
const PORTION_AFTER = new Statement<{ readonly eventId: string; readonly isNeeded: number }>(
  `SELECT e.event_id AS "eventId", CASE WHEN ${IS_NEEDED} THEN 1 ELSE 0 END AS "isNeeded" FROM webhook_events e` +
    ` WHERE e.event_id > ? ORDER BY e.event_id LIMIT ${PORTION}`,
);
const FOUND = `SELECT e.event_id AS "eventId" FROM webhook_events e WHERE ${SOME}`;
const HOLD = new Statement<{ readonly eventId: string }>(FOUND, `${FOUND} FOR UPDATE SKIP LOCKED`);
const DELETE_UNNEEDED = new Statement(`DELETE FROM webhook_events AS e WHERE ${SOME} AND NOT ${IS_NEEDED}`);

interface Weight {
  readonly octets: number;
}

/** What webhooks are sent, which is stored once for all of a tenant. */
@Injectable()
export class WebhookEventRepository {
  /** Stores events, but for those that there are already. Deliveries of them are to follow in the same transaction. */
  async insert(tx: Transaction, events: readonly WebhookEventEntity[]): Promise<void> {
    await INSERT.run(
      tx,
      events.map(({ eventId, tenantId, octets, body }) => [eventId, tenantId, octets, body]),
    );
  }

  /** Octets of what waits for webhooks of a tenant and of their dead letters, each event once. */
  async weigh(tx: Transaction, tenantId: string): Promise<number> {
    return (await WEIGH.first(tx, [tenantId]))?.octets ?? 0;
  }

  /** The same of some events, at most `PORTION`, as far as nobody needs them any more. */
  async weighUnneeded(tx: Transaction, tenantId: string, eventIds: readonly string[]): Promise<number> {
    return (await WEIGH_UNNEEDED.first(tx, [...filled(eventIds), tenantId]))?.octets ?? 0;
  }

  /**
   * Removes what nobody needs of a portion of the events, those behind `marker`. Returns the next marker; empty after the last
   * portion.
   */
  async deleteUnneeded(tx: Transaction, marker: string): Promise<string> {
    const portion = await PORTION_AFTER.rows(tx, [marker]);
    const unneeded = portion.filter(({ isNeeded }) => isNeeded === 0).map(({ eventId }) => eventId);
    if (unneeded.length > 0) await this.deleteIfUnneeded(tx, unneeded);
    return portion[PORTION - 1]?.eventId ?? '';
  }

  /**
   * Only a statement that begins when they are held sees all deliveries of them: whoever has added some since they were found
   * had them held until it was committed.
   */
  private async deleteIfUnneeded(tx: Transaction, eventIds: readonly string[]): Promise<void> {
    const held = (await HOLD.rows(tx, filled(eventIds))).map(({ eventId }) => eventId);
    if (held.length > 0) await DELETE_UNNEEDED.run(tx, filled(held));
  }
}

/** As many as the statement takes, so that it is one statement for any number. */
function filled(eventIds: readonly string[]): string[] {
  return Array.from({ length: PORTION }, (_, at) => eventIds[at] ?? '');
}
