import { closeSync, openSync, readSync, statSync } from 'node:fs';

/** Where SQLite keeps what was committed and is not in the file yet (write-ahead log), and the index of it. */
export const logOf = (path: string): string => `${path}-wal`;
const indexOf = (path: string): string => `${path}-shm`;

/** The database header (SQLite's file format, §1.3) as far as it is looked at. */
const HEADER_LENGTH = 44;
/** Octet 18: the version that is needed to write; 2 means that there may be a log. */
const WRITE_VERSION_AT = 18;
const WITH_LOG = 2;
/** Octets 40 to 43: how often the schema was changed; 0 means that the file has no table. */
const SCHEMA_COOKIE_AT = 40;

/**
 * Looks whether the log of a database has gone missing, before SQLite opens the file and begins a new one.
 * @returns the file that tells of a log which is not there, `null` when none does
 * @throws Error for a file that cannot be read
 */
export function traceOfMissingLog(path: string): string | null {
  const logSize = sizeOf(logOf(path));
  // Whoever closes the database last removes the index first, then the log.
  if (logSize === null && sizeOf(indexOf(path)) !== null) return indexOf(path);
  return (logSize ?? 0) === 0 && isWithoutTables(path) ? path : null;
}

/** In octets; `null`: no such file. */
function sizeOf(path: string): number | null {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats?.isFile() === true ? stats.size : null;
}

/** Such a file has had all its tables in the log: the service gives one a log only once they are there. */
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
