import { open } from 'node:fs/promises';
import type { DatabaseFile } from './database-file.js';

/**
 * Has the system write SQLite's log to the disk while a large transaction fills it, in a thread of the pool: the commit, which
 * stops the event loop until everything is on the disk, then finds little left to do.
 */
export class LogSync {
  constructor(private readonly file: DatabaseFile) {}

  /** Does `work`, and returns its result once what it has written so far is on the disk. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const log = await open(this.file.logPath, 'r+');
    const state = { isOver: false };
    const synced = syncUntilOver(() => log.datasync(), state);
    try {
      return await work();
    } finally {
      state.isOver = true;
      // What the disk refuses, the commit says.
      await synced.catch(() => undefined);
      await log.close();
    }
  }
}

async function syncUntilOver(sync: () => Promise<void>, state: { readonly isOver: boolean }): Promise<void> {
  let wasLast: boolean;
  do {
    wasLast = state.isOver;
    await sync();
  } while (!wasLast);
}
