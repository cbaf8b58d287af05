import { statSync, closeSync, openSync, readSync } from 'node:fs';
import { ServiceError } from '../../common/service-error.js';
import { open } from 'node:fs/promises';

/** Detects a moved file or log, to which SQLite would continue to write. */
export class DatabaseFile {
  private readonly opened: FileIdentity;
  /** SQLite creates the log when first needed. */
  private log: FileIdentity = null;

  constructor(readonly path: string) {
    this.opened = identify(path);
  }

  /** Cheap enough for each commit. Needs the log, so call it in a transaction. @throws ServiceError `unavailable` */
  assertInPlace(): void {
    this.log ??= identify(logOf(this.path));
    const moved = this.moved();
    if (moved === null) return;
    const refusal = new ServiceError(
      'unavailable',
      'The database was moved away; the operator has to put it back or restart the service.',
    );
    refusal.cause = new Error(`${moved} is no longer the file that was opened: put it back`);
    throw refusal;
  }

  get logPath(): string {
    return logOf(this.path);
  }

  moved(): string | null {
    if (identify(this.path) !== this.opened) return this.path;
    return this.log === null || identify(logOf(this.path)) === this.log ? null : logOf(this.path);
  }
}

/** Device and inode; `null` for a missing or inaccessible file. */
type FileIdentity = string | null;

function identify(path: string): FileIdentity {
  try {
    const { dev, ino } = statSync(path);
    return `${dev}:${ino}`;
  } catch {
    return null;
  }
}

export const logOf = (path: string): string => `${path}-wal`;
const indexOf = (path: string): string => `${path}-shm`;

/** SQLite's file format, §1.3. */
const HEADER_LENGTH = 44;
/** The file format write version; 2 means WAL mode. */
const WRITE_VERSION_AT = 18;
const WITH_LOG = 2;
/** The schema cookie; 0 means that the file has no table. */
const SCHEMA_COOKIE_AT = 40;

/** Finds a missing log before SQLite starts a new one. @returns the file that proves it, or `null` */
export function traceOfMissingLog(path: string): string | null {
  const logSize = sizeOf(logOf(path));
  // The last connection to close removes the index first, then the log.
  if (logSize === null && sizeOf(indexOf(path)) !== null) return indexOf(path);
  return (logSize ?? 0) === 0 && isWithoutTables(path) ? path : null;
}

function sizeOf(path: string): number | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : null;
}

/** The service switches to WAL only after creating tables, so all tables of such a file were in the log. */
function isWithoutTables(path: string): boolean {
  if ((sizeOf(path) ?? 0) < HEADER_LENGTH) return false;
  const header = Buffer.alloc(HEADER_LENGTH);
  const file = openSync(path, 'r');
  try {
    readSync(file, header, 0, HEADER_LENGTH, 0);
  } finally {
    closeSync(file);
  }
  return header[WRITE_VERSION_AT] === WITH_LOG && header.readUInt32BE(SCHEMA_COOKIE_AT) === 0;
}

/** Syncs SQLite's log while a large transaction fills it, so that the commit blocks the event loop only briefly. */
export class LogSync {
  constructor(private readonly file: DatabaseFile) {}

  /** Resolves when the writes so far are on the disk. */
  async during<T>(work: () => Promise<T>): Promise<T> {
    const log = await open(this.file.logPath, 'r+');
    const state = { isOver: false };
    const synced = syncUntilOver(() => log.datasync(), state);
    try {
      return await work();
    } finally {
      state.isOver = true;
      // The commit reports disk errors.
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
