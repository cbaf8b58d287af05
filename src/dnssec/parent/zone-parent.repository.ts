import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
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

export interface StoredObservation {
  readonly observation: ParentObservation;
  readonly seenAt: Instant;
}

@Injectable()
export class ZoneParentRepository {
  async find(tx: Transaction, zoneId: string): Promise<ZoneParentEntity | null> {
    return (await FIND.first(tx, [zoneId])) ?? null;
  }

  async observation(tx: Transaction, zoneId: string): Promise<StoredObservation | null> {
    const row = await this.find(tx, zoneId);
    // Only `ParentOutcome` writes the column.
    return row === null ? null : { observation: JSON.parse(row.sight) as ParentObservation, seenAt: row.seenAt };
  }

  write(tx: Transaction, row: ZoneParentEntity): Promise<void> {
    const { zoneId, nameKey, isLeft, sight, seenAt, agreedSince, dsTtl, notifiedFor, mismatchSince } = row;
    return WRITE.run(tx, [zoneId, nameKey, isLeft, sight, seenAt, agreedSince, dsTtl, notifiedFor, mismatchSince]);
  }

  /** Marks the DS and signals of the zone for deletion from other zones. */
  leave(tx: Transaction, zoneId: string): Promise<void> {
    return LEAVE.run(tx, [zoneId]);
  }

  left(tx: Transaction, limit: number): Promise<ZoneParentEntity[]> {
    return LEFT.rows(tx, [limit]);
  }

  delete(tx: Transaction, zoneId: string): Promise<void> {
    return DELETE.run(tx, [zoneId]);
  }

  async mismatches(tx: Transaction): Promise<number> {
    return (await MISMATCHES.first(tx, []))?.count ?? 0;
  }
}
