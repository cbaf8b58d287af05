import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { lockAcrossProcesses } from '../../database/locks.js';
import type { MovedRow } from '../../database/statements/filtered-pages.js';
import { bulkUpsert } from '../../database/statements/bulk-write.js';
import { AMONG, AMONG_ON_POSTGRES } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { type PublicationStatus, ZonePublication } from '../zone-publication.js';
import type { ZoneEntity } from '../zone.entity.js';
import { settledZones, ZoneQueue } from './zone-queue.js';
import { statusSql } from './zone-status.js';

export type OrderColumn = 'serial' | 'record_count' | 'changed_at' | 'status';

type ZoneOrderRow = Pick<ZoneEntity, 'tenantId' | 'serial' | 'recordCount' | 'changedAt'> & {
  readonly zoneId: string;
  readonly status: PublicationStatus;
};

/** A transaction of a few milliseconds. */
const ZONES_AT_A_TIME = 200;
/** With more, all zones are searched. */
const MOST_WAITING = 2000;

const QUEUE = new ZoneQueue('zone_order_queue');
const COLUMNS =
  'id AS "zoneId", tenant_id AS "tenantId", serial, record_count AS "recordCount", changed_at AS "changedAt"';
const WRITE = bulkUpsert(
  'zone_orders',
  { zone_id: 'text' },
  { tenant_id: 'text', serial: 'bigint', record_count: 'integer', changed_at: 'bigint', status: 'text' },
);
const DELETE_SQL = 'DELETE FROM zone_orders WHERE zone_id';
const IS_DELETED = ' AND NOT EXISTS (SELECT 1 FROM zones WHERE id = zone_id)';
const DELETE = new Statement(`${DELETE_SQL} ${AMONG}${IS_DELETED}`, `${DELETE_SQL} ${AMONG_ON_POSTGRES}${IS_DELETED}`);

/** All zones in the queue: one may have left the tenant. */
const movedSql = (column: OrderColumn, value: string): string =>
  `SELECT q.zone_id AS id, CASE WHEN zones.id IS NOT NULL THEN ${value} END AS "key", o.${column} AS place` +
  ' FROM zone_order_queue q LEFT JOIN zones ON zones.id = q.zone_id AND zones.tenant_id = ?' +
  ' LEFT JOIN zone_orders o ON o.zone_id = q.zone_id AND o.tenant_id = ?' +
  ` WHERE q.zone_id > '' ORDER BY q.zone_id LIMIT ${MOST_WAITING + 1}`;

interface StatusRules {
  /** A digest of the rules by which statuses were found. */
  readonly rules: string;
  /** The last zone whose status was put into the queue since these rules hold. */
  readonly foundTo: string;
}

const FIND_RULES = new Statement<StatusRules>(
  'SELECT rules, found_to AS "foundTo" FROM zone_status_rules WHERE id = 1',
);
const KEEP_RULES = new Statement(
  'INSERT INTO zone_status_rules (id, rules, found_to) VALUES (1, ?, ?)' +
    ' ON CONFLICT (id) DO UPDATE SET rules = excluded.rules, found_to = excluded.found_to',
);
const NEXT_ZONES = new Statement<{ readonly id: string }>('SELECT id FROM zones WHERE id > ? ORDER BY id LIMIT ?');
const ENQUEUE = 'INSERT INTO zone_order_queue (zone_id)';
const ENQUEUE_ALL = new Statement(
  `${ENQUEUE} SELECT value FROM json_each(?) WHERE true ON CONFLICT DO NOTHING`,
  `${ENQUEUE} SELECT json_array_elements_text(?::json) ON CONFLICT DO NOTHING`,
);
/** Sorts after all IDs. */
const END = '~';

/** Indexes of values that change with records. A queue has the zones whose values are older there. */
@Injectable()
export class ZoneOrders {
  /** Differs if other name servers are configured. */
  private readonly rules: string;
  private readonly read: Statement<ZoneOrderRow>;
  private readonly movedIn: Readonly<Record<OrderColumn, Statement<MovedRow>>>;

  constructor(publication: ZonePublication) {
    const status = statusSql(publication);
    this.rules = createHash('sha256').update(status).digest('base64url');
    this.read = settledZones(`${COLUMNS}, ${status} AS status`);
    this.movedIn = {
      serial: new Statement(movedSql('serial', 'zones.serial')),
      record_count: new Statement(movedSql('record_count', 'zones.record_count')),
      changed_at: new Statement(movedSql('changed_at', 'zones.changed_at')),
      status: new Statement(movedSql('status', status)),
    };
  }

  async hasOtherRules(tx: Transaction): Promise<boolean> {
    const known = await FIND_RULES.first(tx, []);
    return known !== undefined && known.rules !== this.rules;
  }

  /** Begins to find the statuses of all zones again. */
  async begin(tx: Transaction): Promise<void> {
    await lockAcrossProcesses(tx, 'zone orders');
    if (await this.hasOtherRules(tx)) await KEEP_RULES.run(tx, [this.rules, '']);
  }

  async hasWaiting(tx: Transaction): Promise<boolean> {
    const { rules, foundTo } = await this.known(tx);
    return rules === this.rules && (foundTo !== END || (await QUEUE.next(tx, 1)).length > 0);
  }

  /** Writes the values of zones in the queue. Returns whether there may be more. */
  async update(tx: Transaction): Promise<boolean> {
    await lockAcrossProcesses(tx, 'zone orders');
    const known = await this.known(tx);
    // A process with other name servers has begun.
    if (known.rules !== this.rules) return false;
    if (known.isNew) await KEEP_RULES.run(tx, [this.rules, END]);
    const ids = await QUEUE.nextLocked(tx, ZONES_AT_A_TIME);
    if (ids.length === 0) return known.foundTo !== END && this.enqueue(tx, known.foundTo);
    await QUEUE.dequeueDeleted(tx, ids);
    await DELETE.run(tx, [JSON.stringify(ids)]);
    const zones = await this.read.rows(tx, [JSON.stringify(ids)]);
    await WRITE.runAll(tx, zones);
    await QUEUE.dequeue(
      tx,
      zones.map(({ zoneId }) => zoneId),
    );
    return (ids.length === ZONES_AT_A_TIME && zones.length > 0) || known.foundTo !== END;
  }

  /** In a new index, all zones are in the queue. */
  private async known(tx: Transaction): Promise<StatusRules & { readonly isNew: boolean }> {
    const known = await FIND_RULES.first(tx, []);
    return known === undefined ? { rules: this.rules, foundTo: END, isNew: true } : { ...known, isNew: false };
  }

  private async enqueue(tx: Transaction, after: string): Promise<boolean> {
    const ids = (await NEXT_ZONES.rows(tx, [after, ZONES_AT_A_TIME])).map(({ id }) => id);
    await ENQUEUE_ALL.run(tx, [JSON.stringify(ids)]);
    await KEEP_RULES.run(tx, [this.rules, ids.at(-1) ?? END]);
    return true;
  }

  /** Zones that are elsewhere in the order of the tenant's zones than in the index. `null`: too many. */
  async moved(tx: Transaction, tenantId: string, column: OrderColumn): Promise<ReadonlyMap<string, MovedRow> | null> {
    if (column === 'status') {
      const known = await FIND_RULES.first(tx, []);
      if (known?.rules !== this.rules || known.foundTo !== END) return null;
    }
    const rows = await this.movedIn[column].rows(tx, [tenantId, tenantId]);
    return rows.length > MOST_WAITING ? null : new Map(rows.map((row) => [row.id, row]));
  }
}
