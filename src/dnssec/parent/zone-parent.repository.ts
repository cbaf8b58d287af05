import { Injectable } from '@nestjs/common';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { ParentObservation } from './parent-observation.js';
import type { ZoneParentEntity } from './zone-parent.entity.js';

const COLUMNS =
  'zone_id AS "zoneId", name_key AS "nameKey", is_left AS "isLeft", sight, seen_at AS "seenAt", agreed_since AS "agreedSince",' +
  ' ds_ttl AS "dsTtl", notified_for AS "notifiedFor", mismatch_since AS "mismatchSince"';
const FIND = new Statement<ZoneParentEntity>(`SELECT ${COLUMNS} FROM zone_parents WHERE zone_id = ?`);
const WRITE = new Statement(
  'INSERT INTO zone_parents (zone_id, name_key, is_left, sight, seen_at, agreed_since, ds_ttl, notified_for, mismatch_since)' +
    ' VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (zone_id) DO UPDATE SET is_left = excluded.is_left,' +
    ' sight = excluded.sight, seen_at = excluded.seen_at, agreed_since = excluded.agreed_since, ds_ttl = excluded.ds_ttl,' +
    ' notified_for = excluded.notified_for, mismatch_since = excluded.mismatch_since',
);
const LEAVE = new Statement('UPDATE zone_parents SET is_left = 1, mismatch_since = NULL WHERE zone_id = ?');
const LEFT = new Statement<ZoneParentEntity>(
  `SELECT ${COLUMNS} FROM zone_parents WHERE is_left = 1 ORDER BY zone_id LIMIT ?`,
);
const DELETE = new Statement('DELETE FROM zone_parents WHERE zone_id = ?');
const MISMATCHES = new Statement<{ count: number }>(
  'SELECT COUNT(*) AS count FROM zone_parents WHERE mismatch_since > 0',
);

/** What was seen of signed zones in their parent zones. */
@Injectable()
export class ZoneParentRepository {
  async find(tx: Transaction, zoneId: string): Promise<ZoneParentEntity | null> {
    return (await FIND.first(tx, [zoneId])) ?? null;
  }

  write(tx: Transaction, row: ZoneParentEntity): Promise<void> {
    const { zoneId, nameKey, isLeft, sight, seenAt, agreedSince, dsTtl, notifiedFor, mismatchSince } = row;
    return WRITE.run(tx, [zoneId, nameKey, isLeft, sight, seenAt, agreedSince, dsTtl, notifiedFor, mismatchSince]);
  }

  /** Whatever it has left in other zones is to be taken back. */
  leave(tx: Transaction, zoneId: string): Promise<void> {
    return LEAVE.run(tx, [zoneId]);
  }

  left(tx: Transaction, limit: number): Promise<ZoneParentEntity[]> {
    return LEFT.rows(tx, [limit]);
  }

  delete(tx: Transaction, zoneId: string): Promise<void> {
    return DELETE.run(tx, [zoneId]);
  }

  /** Of how many zones the parents have DS of other keys alone. */
  async mismatches(tx: Transaction): Promise<number> {
    return (await MISMATCHES.first(tx, []))?.count ?? 0;
  }
}

export function observationOf({ sight }: Pick<ZoneParentEntity, 'sight'>): ParentObservation {
  // Only `ParentOutcome` writes the column.
  return JSON.parse(sight) as ParentObservation;
}
