import { Statement } from '../../database/statements/statement.js';
import { connectionOf } from '../../database/sqlite/sqlite-connection.js';
import type { Transaction } from '../../database/transaction.js';

const END = new Statement<{ readonly number: number | null }>(
  'SELECT COALESCE((SELECT version FROM zones WHERE id = ?),' +
    " (SELECT MAX(number) FROM journal WHERE zone_id = ? AND action = 'zone.delete')) AS number",
);

/**
 * Number of the last visible step of a zone, which may be deleted. Rows of a change that is written ahead follow it, on
 * SQLite alone (storage 18.14).
 */
export async function journalEnd(tx: Transaction, zoneId: string): Promise<number> {
  if (connectionOf(tx) === undefined) return Number.MAX_SAFE_INTEGER;
  return (await END.first(tx, [zoneId, zoneId]))?.number ?? 0;
}

const VERSION = '(SELECT version FROM zones WHERE id = ?)';

/** The last `count` steps of a zone, without those that are written ahead. Takes the zone id three times. */
export const isRecentSql = (count: number): string =>
  `zone_id = ? AND number > ${VERSION} - ${count} AND number <= ${VERSION}`;
