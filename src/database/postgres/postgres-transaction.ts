import { measureCommit } from '../commit-figures.js';
import { unavailable } from '../database-failure.js';
import { isRefusingChanges, noteAnswer, noteWritten } from '../database-trouble.js';
import {
  discardIfBroken,
  nameQuery,
  type PostgresClient,
  type PostgresNotice,
  rollBackQuietly,
} from './postgres-client.js';
import { LOCK_TIMEOUT } from './postgres-session.js';
import type { Transaction } from '../transaction.js';

/** PostgreSQL's codes of warnings begin so. */
const WARNING_CLASS = '01';

/**
 * How long a connection waits for the row of a zone, in milliseconds: long enough for a change of records, and for a turn among
 * others who wait; whoever holds it for longer is waited for without a connection.
 */
const MOMENT = 150;
const BEGIN_BRIEFLY = `BEGIN; SET LOCAL lock_timeout = ${MOMENT}`;
const TAKE_ZONE = nameQuery('SELECT 1 FROM zones WHERE id = $1 FOR UPDATE');
const WAIT_LONGER = `SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`;

/** @param zoneId the zone whose row is taken first; `null`: none */
export async function inTransaction<T>(
  client: PostgresClient,
  tx: Transaction,
  zoneId: string | null,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    await (zoneId === null ? client.query('BEGIN') : beginWith(client, zoneId));
    const result = await work(tx);
    tx.end();
    const hasWritten = isRefusingChanges() && (await wrote(client));
    await commit(client);
    noteAnswer();
    if (hasWritten) await noteWritten(null);
    return result;
  } catch (error) {
    tx.end();
    if (!discardIfBroken(error, client)) await rollBackQuietly(client);
    throw error;
  }
}

/** A transaction has a number once it has written something. */
async function wrote(client: PostgresClient): Promise<boolean> {
  const { rows } = await client.query('SELECT 1 WHERE txid_current_if_assigned() IS NOT NULL');
  return rows.length > 0;
}

async function beginWith(client: PostgresClient, zoneId: string): Promise<void> {
  await client.query(BEGIN_BRIEFLY);
  await client.query({ ...TAKE_ZONE, values: [zoneId] });
  await client.query(WAIT_LONGER);
}

/**
 * PostgreSQL answers the COMMIT of a transaction that has failed inside with a silent ROLLBACK, and one that somebody has
 * stopped from waiting for a synchronous standby with a warning: the standby may not have it when it takes over.
 */
async function commit(client: PostgresClient): Promise<void> {
  const warnings: PostgresNotice[] = [];
  const note = (notice: PostgresNotice): void => {
    if (notice.code?.startsWith(WARNING_CLASS) === true) warnings.push(notice);
  };
  client.on('notice', note);
  const { command } = await measureCommit(() => client.query('COMMIT')).finally(() => client.off('notice', note));
  if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}: an error inside was overlooked`);
  const [warning] = warnings;
  if (warning !== undefined) throw unavailable(new Error(`COMMIT came with a warning: ${warning.message}`));
}
