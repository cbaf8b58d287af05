import { Injectable } from '@nestjs/common';
import { lockAcrossProcesses } from '../../database/locks.js';
import type { MovedRow } from '../../database/statements/filtered-pages.js';
import { bulkUpsert } from '../../database/statements/bulk-write.js';
import { AMONG, AMONG_ON_POSTGRES } from '../../database/statements/lookup.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { ZoneEntity } from '../zone.entity.js';
import { settledZones, ZoneQueue } from './zone-queue.js';

export type OrderColumn = 'serial' | 'record_count' | 'changed_at';

type ZoneOrderRow = Pick<ZoneEntity, 'tenantId' | 'serial' | 'recordCount' | 'changedAt'> & { readonly zoneId: string };

/** A transaction of a few milliseconds. */
const ZONES_AT_A_TIME = 200;
/** With more, all zones are searched. */
const MOST_WAITING = 2000;

const QUEUE = new ZoneQueue('zone_order_queue');
const READ = settledZones<ZoneOrderRow>(
  'id AS "zoneId", tenant_id AS "tenantId", serial, record_count AS "recordCount", changed_at AS "changedAt"',
);
const WRITE = bulkUpsert(
  'zone_orders',
  { zone_id: 'text' },
  { tenant_id: 'text', serial: 'bigint', record_count: 'integer', changed_at: 'bigint' },
);
const DELETE_SQL = 'DELETE FROM zone_orders WHERE zone_id';
const IS_DELETED = ' AND NOT EXISTS (SELECT 1 FROM zones WHERE id = zone_id)';
const DELETE = new Statement(`${DELETE_SQL} ${AMONG}${IS_DELETED}`, `${DELETE_SQL} ${AMONG_ON_POSTGRES}${IS_DELETED}`);

/** All zones in the queue: one may have left the tenant. */
const movedSql = (column: OrderColumn): string =>
  `SELECT q.zone_id AS id, z.${column} AS "key", o.${column} AS place FROM zone_order_queue q` +
  ' LEFT JOIN zones z ON z.id = q.zone_id AND z.tenant_id = ?' +
  ' LEFT JOIN zone_orders o ON o.zone_id = q.zone_id AND o.tenant_id = ?' +
  ` WHERE q.zone_id > '' ORDER BY q.zone_id LIMIT ${MOST_WAITING + 1}`;
const MOVED: Readonly<Record<OrderColumn, Statement<MovedRow>>> = {
  serial: new Statement(movedSql('serial')),
  record_count: new Statement(movedSql('record_count')),
  changed_at: new Statement(movedSql('changed_at')),
};

/** Indexes of values that change with records. A queue has the zones whose values are older there. */
@Injectable()
export class ZoneOrders {
  async hasWaiting(tx: Transaction): Promise<boolean> {
    return (await QUEUE.next(tx, 1)).length > 0;
  }

  /** Writes the values of zones in the queue. Returns whether there may be more. */
  async update(tx: Transaction): Promise<boolean> {
    await lockAcrossProcesses(tx, 'zone orders');
    const ids = await QUEUE.next(tx, ZONES_AT_A_TIME);
    await QUEUE.dequeueDeleted(tx, ids);
    await DELETE.run(tx, [JSON.stringify(ids)]);
    const zones = await READ.rows(tx, [JSON.stringify(ids)]);
    await WRITE.runAll(tx, zones);
    await QUEUE.dequeue(
      tx,
      zones.map(({ zoneId }) => zoneId),
    );
    return ids.length === ZONES_AT_A_TIME && zones.length > 0;
  }

  /** Zones that are elsewhere in the order of the tenant's zones than in the index. `null`: too many. */
  async moved(tx: Transaction, tenantId: string, column: OrderColumn): Promise<ReadonlyMap<string, MovedRow> | null> {
    const rows = await MOVED[column].rows(tx, [tenantId, tenantId]);
    return rows.length > MOST_WAITING ? null : new Map(rows.map((row) => [row.id, row]));
  }
}
