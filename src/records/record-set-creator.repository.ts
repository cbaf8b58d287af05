import { Injectable } from '@nestjs/common';
import { bulkDelete, bulkInsert, type Columns } from '../database/bulk-write.js';
import { Lookup } from '../database/lookup.js';
import { Statement } from '../database/statement.js';
import type { Transaction } from '../database/transaction.js';
import type { RecordSetCreatorEntity } from './record-set-creator.entity.js';

/** In a change of records it travels with what else the change reads. */
const IS_OF = new Lookup<unknown>(
  'SELECT 1 AS one FROM record_set_creators WHERE zone_id = ? AND record_set_id = ? AND tenant_id = ?',
  ['text', 'text', 'text'],
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
  async isOf(tx: Transaction, zoneId: string, setId: string, tenantId: string): Promise<boolean> {
    return (await IS_OF.rows(tx, [], [[zoneId, setId, tenantId]])).length > 0;
  }

  async hasSets(tx: Transaction, zoneId: string, tenantId: string): Promise<boolean> {
    return (await HAS_SETS.first(tx, [tenantId, zoneId])) !== undefined;
  }

  /** The zone of a set that the tenant has put into it, `null` where there is none. */
  async zoneOf(tx: Transaction, setId: string, tenantId: string): Promise<string | null> {
    return (await ZONE_OF.first(tx, [setId, tenantId]))?.zoneId ?? null;
  }

  insert(tx: Transaction, { zoneId, recordSetId, tenantId }: RecordSetCreatorEntity): Promise<void> {
    return INSERT.run(tx, [[zoneId, recordSetId, tenantId]]);
  }

  delete(tx: Transaction, zoneId: string, setId: string): Promise<void> {
    return DELETE.run(tx, [[zoneId, setId]]);
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
