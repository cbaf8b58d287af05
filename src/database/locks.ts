import { Statement } from './statement.js';
import type { Transaction } from './transaction.js';

const LOCK = new Statement('SELECT ?', 'SELECT pg_advisory_xact_lock(hashtextextended(?, 0))');

/**
 * From here to the end of the transaction no other process is in a transaction that has locked the same `subject`. On
 * SQLite the file's write lock has seen to that.
 */
export async function lockAcrossProcesses(tx: Transaction, subject: string): Promise<void> {
  await LOCK.run(tx, [subject]);
}
