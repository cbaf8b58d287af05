import { Statement } from './statements/statement.js';
import { connectionOf } from './sqlite/sqlite-connection.js';
import { entityManagerOf, type Transaction } from './transaction.js';

const LOCK = new Statement('SELECT ?', 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))');

const WAIT_BRIEFLY = new Statement('SELECT ?', "SELECT set_config('lock_timeout', ?, true)");
const MOMENT = 150;

/** Limits lock waits to 150 ms. Then the unit of work retries, so that holders of contended locks do not wait. */
export async function waitBriefly(tx: Transaction): Promise<void> {
  await WAIT_BRIEFLY.run(tx, [String(MOMENT)]);
}

/** SQLite locks the whole file, so it has no locks to release. */
export async function withoutKeepingLocks(tx: Transaction, work: () => Promise<void>): Promise<void> {
  if (connectionOf(tx) !== undefined) return work();
  const manager = entityManagerOf(tx);
  await manager.query('SAVEPOINT before_locks');
  await work();
  await manager.query('ROLLBACK TO SAVEPOINT before_locks');
}

/** Locks `subject` until the end of the transaction. On SQLite, the file's write lock ensures this. */
export async function lockAcrossProcesses(tx: Transaction, subject: string): Promise<void> {
  await LOCK.run(tx, [subject]);
}
