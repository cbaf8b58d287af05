import { Injectable } from '@nestjs/common';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { StagedImportEntity } from './staged-import.entity.js';

const ANNOUNCE = new Statement('INSERT INTO incoming_zones (zone_id, holder, renewals) VALUES (?, ?, 0)');
const RENEW = new Statement<unknown>(
  'UPDATE incoming_zones SET renewals = renewals + 1 WHERE zone_id = ? AND holder = ? RETURNING 1',
);
const ARRIVE = new Statement<unknown>('DELETE FROM incoming_zones WHERE zone_id = ? AND holder = ? RETURNING 1');
const ALL = new Statement<StagedImportEntity>(
  'SELECT zone_id AS "zoneId", holder, renewals FROM incoming_zones ORDER BY zone_id',
);
/** Only what is marked is ever removed: a zone that has arrived is not. */
const GIVE_UP = new Statement<unknown>("UPDATE incoming_zones SET holder = '' WHERE zone_id = ? RETURNING 1");
const FORGET = new Statement("DELETE FROM incoming_zones WHERE zone_id = ? AND holder = ''");

/** Whether a row belongs to such a zone, as SQL, for whoever reads across zones. */
export const isStaged = (zoneId: string): string =>
  `EXISTS (SELECT 1 FROM incoming_zones i WHERE i.zone_id = ${zoneId})`;

/** Which zones have contents before they are there themselves. */
@Injectable()
export class StagedImportRepository {
  async announce(tx: Transaction, zoneId: string, holder: string): Promise<void> {
    await ANNOUNCE.run(tx, [zoneId, holder]);
  }

  /** Returns whether the holder still is the one who writes. */
  async renew(tx: Transaction, zoneId: string, holder: string): Promise<boolean> {
    return (await RENEW.first(tx, [zoneId, holder])) !== undefined;
  }

  /** The same, and it is the last time: the zone is there now. */
  async arrive(tx: Transaction, zoneId: string, holder: string): Promise<boolean> {
    return (await ARRIVE.first(tx, [zoneId, holder])) !== undefined;
  }

  all(tx: Transaction): Promise<StagedImportEntity[]> {
    return ALL.rows(tx, []);
  }

  /** From here on nobody writes there. Returns whether there is anything to remove. */
  async giveUp(tx: Transaction, zoneId: string): Promise<boolean> {
    return (await GIVE_UP.first(tx, [zoneId])) !== undefined;
  }

  /** Nothing is left of it. */
  async forget(tx: Transaction, zoneId: string): Promise<void> {
    await FORGET.run(tx, [zoneId]);
  }
}
