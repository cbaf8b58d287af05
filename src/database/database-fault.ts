import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { causeOf } from '../common/cause.js';
import { ThrottledLogger } from '../common/throttled-logger.js';
import { translateFailure, type DatabaseFault, faultOf } from './database-failure.js';

/** In octets, less than one request may need: SQLite's log has places left to write to when the disk has none. */
const MIN_FREE_SPACE = 1_048_576;

const FAULTS: Record<DatabaseFault, { readonly is: string; readonly todo: string; readonly over: string }> = {
  full: {
    is: 'Changes are refused: the disk of the database is full',
    todo: 'Reads go on. Free space there; the service recovers by itself',
    over: 'The disk of the database has room again.',
  },
  unwritable: {
    is: 'Changes are refused: the database cannot be written to',
    todo: 'Look for a read-only server or file system, and for errors of the disk; the service recovers by itself',
    over: 'The database can be written to again.',
  },
  unreachable: {
    is: 'Requests are refused: the database cannot be reached, or does not answer',
    todo: 'See that the server runs and that this machine reaches it; the service recovers by itself',
    over: 'The database answers again.',
  },
};

/** A process has one database, whoever of it meets its troubles first. */
const warnings: Record<DatabaseFault, ThrottledLogger> = {
  full: new ThrottledLogger(),
  unwritable: new ThrottledLogger(),
  unreachable: new ThrottledLogger(),
};

/** Says in the log what keeps the database from its work, and returns what the caller is told. */
export function tellFailure(error: unknown): Error {
  const fault = faultOf(error);
  if (fault !== null) {
    const { is, todo } = FAULTS[fault];
    warnings[fault].warn(`${is} (${causeOf(error)}). ${todo}.`);
  }
  return translateFailure(error);
}

/** The database has answered. */
export function recordAnswer(): void {
  end('unreachable');
}

/** Whether the log is still to say that changes are taken again: only then is it worth knowing that one was. */
export function isRefusingChanges(): boolean {
  return warnings.full.lasts || warnings.unwritable.lasts;
}

/**
 * Something was written. A small change fits in where others do not.
 * @param path the file of SQLite
 */
export async function recordWritten(path: string | null): Promise<void> {
  end('unwritable');
  // Where the disk cannot be looked at, nobody knows whether it has room.
  if (warnings.full.lasts && (path === null || (await hasRoom(path).catch(() => false)))) end('full');
}

/** Whether the disk of a file has room for whatever a request may bring. */
export async function hasRoom(path: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize >= MIN_FREE_SPACE;
}

function end(fault: DatabaseFault): void {
  warnings[fault].over(FAULTS[fault].over);
}
