import { Injectable } from '@nestjs/common';
import { bulkDelete, bulkInsert, type Columns } from '../database/statements/bulk-write.js';
import { Lookup } from '../database/statements/lookup.js';
import { Statement } from '../database/statements/statement.js';
import type { Transaction } from '../database/transaction.js';

/** In a change of records it travels with what else the change reads. */
const AMONG = new Lookup<{ readonly setId: string }>(
  'SELECT record_set_id AS "setId" FROM record_set_creators WHERE zone_id = ? AND tenant_id = ? AND record_set_id = ?',
  ['text'],
);
/** Sets may have gone without anybody's having looked here. */
const HAS_SETS = new Statement<unknown>(
  'SELECT 1 FROM record_set_creators c JOIN record_sets s ON s.zone_id = c.zone_id AND s.id = c.record_set_id' +
    ' WHERE c.tenant_id = ? AND c.zone_id = ? LIMIT 1',
);
const ZONE_OF = new Statement<{ readonly zoneId: string }>(
  'SELECT c.zone_id AS "zoneId" FROM record_set_creators c JOIN record_sets s ON s.zone_id = c.zone_id AND s.id = c.record_set_id' +
    ' WHERE c.record_set_id = ? AND c.tenant_id = ?',
);
const KEY: Columns = { zone_id: 'text', record_set_id: 'text' };
const INSERT = bulkInsert('record_set_creators', { ...KEY, tenant_id: 'text' });
const DELETE = bulkDelete('record_set_creators', KEY);
const DELETE_OF_TENANT = new Statement('DELETE FROM record_set_creators WHERE tenant_id = ? AND zone_id = ?');
const DELETE_OF_ZONE = new Statement('DELETE FROM record_set_creators WHERE zone_id = ?');
const DELETE_OF_LOST_SETS = new Statement(
  'DELETE FROM record_set_creators WHERE NOT EXISTS (SELECT 1 FROM record_sets s' +
    ' WHERE s.zone_id = record_set_creators.zone_id AND s.id = record_set_creators.record_set_id)',
);

/** Who has put a set into a shared zone, as SQL: `null` where the zone's owner has. */
export const creatorSql = (zoneId: string, setId: string): string =>
  `(SELECT c.tenant_id FROM record_set_creators c WHERE c.zone_id = ${zoneId} AND c.record_set_id = ${setId})`;

/** Who has put which record sets into shared zones. */
@Injectable()
export class RecordSetCreatorRepository {
  /** Those of the sets that the tenant has put into the zone. */
  async among(
    tx: Transaction,
    zoneId: string,
    setIds: readonly string[],
    tenantId: string,
  ): Promise<ReadonlySet<string>> {
    const found = await AMONG.rows(
      tx,
      [zoneId, tenantId],
      setIds.map((id) => [id]),
    );
    return new Set(found.map(({ setId }) => setId));
  }

  async hasSets(tx: Transaction, zoneId: string, tenantId: string): Promise<boolean> {
    return (await HAS_SETS.first(tx, [tenantId, zoneId])) !== undefined;
  }

  /** The zone of a set that the tenant has put into it, `null` where there is none. */
  async zoneOf(tx: Transaction, setId: string, tenantId: string): Promise<string | null> {
    return (await ZONE_OF.first(tx, [setId, tenantId]))?.zoneId ?? null;
  }

  insertAll(tx: Transaction, zoneId: string, setIds: readonly string[], tenantId: string): Promise<void> {
    return INSERT.run(
      tx,
      setIds.map((id) => [zoneId, id, tenantId]),
    );
  }

  deleteAll(tx: Transaction, zoneId: string, setIds: readonly string[]): Promise<void> {
    return DELETE.run(
      tx,
      setIds.map((id) => [zoneId, id]),
    );
  }

  async deleteOfTenant(tx: Transaction, zoneId: string, tenantId: string): Promise<void> {
    await DELETE_OF_TENANT.run(tx, [tenantId, zoneId]);
  }

  async deleteOfZone(tx: Transaction, zoneId: string): Promise<void> {
    await DELETE_OF_ZONE.run(tx, [zoneId]);
  }

  /** Forgets who had made sets that are gone. */
  async deleteOfLostSets(tx: Transaction): Promise<void> {
    await DELETE_OF_LOST_SETS.run(tx, []);
  }
}
