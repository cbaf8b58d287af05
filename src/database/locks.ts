import { Statement } from './statements/statement.js';
import { connectionOf } from './sqlite/sqlite-connection.js';
import { entityManagerOf, type Transaction } from './transaction.js';

const LOCK = new Statement('SELECT ?', 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))');

const WAIT_BRIEFLY = new Statement('SELECT ?', "SELECT set_config('lock_timeout', ?, true)");
/** In milliseconds. */
const MOMENT = 150;

/**
 * From here to the end of the transaction it waits for locks for a moment only. What takes longer gives it up, and the unit of
 * work tries it again later: whoever holds what many need does not wait for what few hold.
 */
export async function waitBriefly(tx: Transaction): Promise<void> {
  await WAIT_BRIEFLY.run(tx, [String(MOMENT)]);
}

/**
 * Does something that writes nothing, and gives back the locks that it has taken. SQLite, where the whole file is held anyway,
 * has none to give back.
 */
export async function withoutKeepingLocks(tx: Transaction, work: () => Promise<void>): Promise<void> {
  if (connectionOf(tx) !== undefined) return work();
  const manager = entityManagerOf(tx);
  await manager.query('SAVEPOINT before_locks');
  await work();
  await manager.query('ROLLBACK TO SAVEPOINT before_locks');
}

/**
 * From here to the end of the transaction no other process is in a transaction that has locked the same `subject`. On
 * SQLite the file's write lock has seen to that.
 */
export async function lockAcrossProcesses(tx: Transaction, subject: string): Promise<void> {
  await LOCK.run(tx, [subject]);
}
