import { QueryFailedError } from 'typeorm';
import { ServiceError } from '../common/service-error.js';

/** SQLite's refusals that pass once the operator or another process has done its part: full, busy, read-only, I/O. */
const PASSING_SQLITE_CODES = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|NOMEM|PROTOCOL)(_|$)/;

/** What the driver said, without TypeORM's wrapping. */
function driverErrorOf(error: unknown): { readonly code?: unknown; readonly message?: unknown } {
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof inner === 'object' && inner !== null ? inner : {};
}

/** The database's own trouble as `unavailable` (503); every other error as it is. */
export function translateFailure(error: unknown): Error {
  const { code } = driverErrorOf(error);
  if (typeof code !== 'string' || !PASSING_SQLITE_CODES.test(code))
    return error instanceof Error ? error : new Error(String(error));
  const refusal = new ServiceError(
    'unavailable',
    'The database cannot take the request at the moment; send it again later.',
  );
  // For the operator's log: callers are shown the refusal only.
  refusal.cause = error;
  return refusal;
}

export function isBusy(error: unknown): boolean {
  const { code } = driverErrorOf(error);
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}

/**
 * Whether a statement was refused by the unique key over exactly these columns. Judged by the driver's code; SQLite
 * names the columns (`table.column`, comma-separated) in a message of fixed form.
 */
export function violatesUniqueKey(error: unknown, key: UniqueKey): boolean {
  const { code, message } = driverErrorOf(error);
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return false;
  const columns = key.columns.map((column) => `${key.table}.${column}`).join(', ');
  return message === `UNIQUE constraint failed: ${columns}`;
}

export interface UniqueKey {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}
