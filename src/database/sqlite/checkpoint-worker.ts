import { parentPort, workerData } from 'node:worker_threads';
import { loadSqlite } from './sqlite-driver.js';

const Database = loadSqlite();

/**
 * The thread of `Checkpoints`, for the database at the path `workerData`. It answers `null`, or why it could not do what
 * it was told: `copy` the log into the file; `finish`, and begin the log anew; `close` the database, and end.
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

/** Returns whether all of the log is in the file. Waits neither for readers nor for the writer, nor they for it. */
function copy(): boolean {
  // SQLite documents the row: https://www.sqlite.org/pragma.html#pragma_wal_checkpoint
  const [row] = database.pragma('wal_checkpoint(PASSIVE)') as [{ log: number; checkpointed: number }];
  return row.log === row.checkpointed;
}

/** Whoever writes first into a log that begins anew syncs its header too: that is done here, by a page as it is. */
function finish(): void {
  if (!copy()) return;
  try {
    database.pragma('user_version = 0');
  } catch (error) {
    // Another process writes, and does it then.
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_BUSY') throw error;
  }
}
