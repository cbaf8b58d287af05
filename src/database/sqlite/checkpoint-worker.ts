import { parentPort, workerData } from 'node:worker_threads';
import { loadSqlite } from './sqlite-driver.js';

const Database = loadSqlite();

/**
 * Thread of `Checkpoints` for the database at `workerData`. Answers `null` or an error message to the orders `copy`,
 * `finish` (copy and restart the log) and `close`.
 */
const database = new Database(String(workerData), { fileMustExist: true, timeout: 0 });
database.pragma('synchronous = FULL');
database.pragma('wal_autocheckpoint = 0');

parentPort?.on('message', (order: 'copy' | 'finish' | 'close') => {
  if (order !== 'close') {
    parentPort?.postMessage(attempt(order === 'finish' ? finish : copy));
    return;
  }
  database.close();
  parentPort?.close();
});

function attempt(work: () => unknown): string | null {
  try {
    work();
    return null;
  } catch (error) {
    return String(error);
  }
}

/** Whether the whole log is in the file. Does not wait for readers or the writer, nor block them. */
function copy(): boolean {
  // Documented at https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
  const [row] = database.pragma('wal_checkpoint(PASSIVE)') as [{ log: number; checkpointed: number }];
  return row.log === row.checkpointed;
}

/** The first write into a restarted log also syncs its header: does that here, with an unchanged page. */
function finish(): void {
  if (!copy()) return;
  try {
    database.pragma('user_version = 0');
  } catch (error) {
    // Another process writes, and syncs the header.
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_BUSY') throw error;
  }
}
