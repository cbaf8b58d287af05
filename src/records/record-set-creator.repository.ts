import { Injectable } from '@nestjs/common';
import { contentsOf } from '../database/statements/contents-id.js';
import { bulkDelete, bulkInsert, type Columns } from '../database/statements/bulk-write.js';
import { Lookup } from '../database/statements/lookup.js';
import { PortionedDelete } from '../database/statements/portioned-delete.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';

/** A `Lookup`, so that it shares the round trip of the other reads of a change. */
const AMONG = new Lookup<{ readonly setId: string }>(
  'SELECT record_set_id AS "setId" FROM record_set_creators WHERE zone_id = ? AND tenant_id = ? AND record_set_id = ?',
  ['text'],
);
const IS_OF_CREATOR = `s.zone_id = ${contentsOf('c.zone_id')} AND s.id = c.record_set_id`;
/** Sets may have been deleted since, because deletions do not update this table. */
const HAS_SETS = new Statement<unknown>(
  `SELECT 1 FROM record_set_creators c JOIN record_sets s ON ${IS_OF_CREATOR}` +
    ' WHERE c.tenant_id = ? AND c.zone_id = ? LIMIT 1',
);
const ZONE_OF = new Statement<{ readonly zoneId: string }>(
  `SELECT c.zone_id AS "zoneId" FROM record_set_creators c JOIN record_sets s ON ${IS_OF_CREATOR}` +
    // Without records of deleted zones (storage 18.11).
    ' JOIN zones z ON z.id = c.zone_id WHERE c.record_set_id = ? AND c.tenant_id = ?',
);
const KEY: Columns = { zone_id: 'text', record_set_id: 'text' };
const INSERT = bulkInsert('record_set_creators', { ...KEY, tenant_id: 'text' });
const DELETE = bulkDelete('record_set_creators', KEY);
const DELETE_OF_TENANT = new Statement('DELETE FROM record_set_creators WHERE tenant_id = ? AND zone_id = ?');
const DELETE_OF_ZONE = new PortionedDelete({
  table: 'record_set_creators',
  key: ['zone_id', 'record_set_id'],
  where: 'zone_id = ?',
});
const IS_MOVED = new Statement<unknown>('SELECT 1 FROM moved_contents WHERE zone = ?');
const DELETE_OF_LOST_SETS = new Statement(
  'DELETE FROM record_set_creators WHERE NOT EXISTS (SELECT 1 FROM record_sets s' +
    ` WHERE s.zone_id = ${contentsOf('record_set_creators.zone_id')} AND s.id = record_set_creators.record_set_id)`,
);

/** SQL for the tenant that created a set in a shared zone; `null` for the zone owner. */
export const creatorSql = (zoneId: string, setId: string): string =>
  `(SELECT c.tenant_id FROM record_set_creators c WHERE c.zone_id = ${zoneId} AND c.record_set_id = ${setId})`;

/** Stores the creators of record sets in shared zones. */
@Injectable()
export class RecordSetCreatorRepository {
  async among(
    tx: Transaction,
    zoneId: string,
    setIds: readonly string[],
    tenantId: string,
  ): Promise<ReadonlySet<string>> {
    const keys = setIds.map((id) => [id]);
    const found = await AMONG.rows(tx, [zoneId, tenantId], keys);
    return new Set(found.map(({ setId }) => setId));
  }

  async hasSets(tx: Transaction, zoneId: string, tenantId: string): Promise<boolean> {
    return (await HAS_SETS.first(tx, [tenantId, zoneId])) !== undefined;
  }

  async zoneOf(tx: Transaction, setId: string, tenantId: string): Promise<string | null> {
    return (await ZONE_OF.first(tx, [setId, tenantId]))?.zoneId ?? null;
  }

  insertAll(tx: Transaction, zoneId: string, setIds: readonly string[], tenantId: string): Promise<void> {
    const rows = setIds.map((id) => [zoneId, id, tenantId]);
    return INSERT.run(tx, rows);
  }

  deleteAll(tx: Transaction, zoneId: string, setIds: readonly string[]): Promise<void> {
    const rows = setIds.map((id) => [zoneId, id]);
    return DELETE.run(tx, rows);
  }

  async deleteOfTenant(tx: Transaction, zoneId: string, tenantId: string): Promise<void> {
    await DELETE_OF_TENANT.run(tx, [tenantId, zoneId]);
  }

  /** @param end on the monotonic clock @returns whether more may remain */
  async deleteOfContents(tx: Transaction, contentsId: string, end: number): Promise<boolean> {
    // The zone has this id, and other contents.
    if ((await IS_MOVED.first(tx, [contentsId])) !== undefined) return false;
    return DELETE_OF_ZONE.runUntil(end, tx, [contentsId]);
  }

  async deleteOfLostSets(tx: Transaction): Promise<void> {
    await DELETE_OF_LOST_SETS.run(tx, []);
  }
}
