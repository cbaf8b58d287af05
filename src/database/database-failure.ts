import { QueryFailedError } from 'typeorm';
import { ServiceError } from '../common/service-error.js';

/** SQLite's refusals that pass once the operator or another process has done its part: full, busy, read-only, I/O. */
const PASSING_SQLITE_CODES = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|NOMEM|PROTOCOL)(_|$)/;
/** The same of PostgreSQL: connection lost, resources exhausted, read-only, idle for too long, I/O, shutting down. */
const PASSING_SERVER_CODES = /^(08...|53...|25006|25P0[34]|57P0.|58030)$/;
/**
 * What PostgreSQL says of one statement: time-outs, and conflicts with other changes, which are tried again before
 * anybody hears of them.
 */
const PASSING_STATEMENT_CODES = /^(40001|40P01|55P03|57014)$/;
/** A server that cannot be reached, also because this process has no descriptor left for it. */
const PASSING_NETWORK_CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;
/** pg gives no code to what it says about its connections and their pool. */
const PASSING_DRIVER_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed)/;

/**
 * What PostgreSQL ends a session for because of itself or its system: a new one that could not write a file to a full disk has
 * XX000. It refuses a user, a password or a database as well, with other codes; that does not pass.
 */
const SESSION_ENDS = new Set(['FATAL', 'PANIC']);
const OWN_TROUBLE_CODES = /^(58|XX)...$/;

const BUSY_POOL = 'timeout exceeded when trying to connect';

/**
 * A statement that asks for what is not there, or does not say what has to be said; unique keys are no sign, since they are
 * violated by what callers send.
 */
const MISFIT_CODES = /^(SQLITE_ERROR|SQLITE_CONSTRAINT_(NOTNULL|CHECK|FOREIGNKEY|TRIGGER)|42...|2350[23]|23514|0A000)$/;

const CONFLICT_CODES = new Set(['40001', '40P01']);
const LOCK_REFUSED = '55P03';
const NUL_IN_TEXT = '22021';
const IN_FAILED_TRANSACTION = '25P02';

/** What the driver said, without TypeORM's wrapping. */
function driverErrorOf(error: unknown): DriverError {
  const inner: unknown = error instanceof QueryFailedError ? error.driverError : error;
  return typeof inner === 'object' && inner !== null ? inner : {};
}

interface DriverError {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly severity?: unknown;
  readonly constraint?: unknown;
}

/** The database's own trouble as `unavailable` (503); every other error as it is. */
export function translateFailure(error: unknown): Error {
  if (driverErrorOf(error).code === NUL_IN_TEXT)
    return new ServiceError('invalid_object', 'The character U+0000 cannot be stored; leave it out.');
  if (!isPassing(driverErrorOf(error))) return error instanceof Error ? error : new Error(String(error));
  return unavailable(error);
}

/** @param cause for the operator's log: callers are shown the refusal only */
export function unavailable(cause: unknown): ServiceError {
  const refusal = new ServiceError(
    'unavailable',
    'The database cannot take the request at the moment; try again later.',
  );
  refusal.cause = cause;
  return refusal;
}

function isPassing(error: DriverError): boolean {
  const { code } = error;
  const isOfStatement =
    typeof code === 'string' && (PASSING_SQLITE_CODES.test(code) || PASSING_STATEMENT_CODES.test(code));
  return isOfStatement || isOfSession(error);
}

function isOfSession({ code, message, severity }: DriverError): boolean {
  if (typeof code === 'string') {
    const isEnd = typeof severity === 'string' && SESSION_ENDS.has(severity) && OWN_TROUBLE_CODES.test(code);
    return isEnd || PASSING_SERVER_CODES.test(code) || PASSING_NETWORK_CODES.test(code);
  }
  return typeof message === 'string' && PASSING_DRIVER_MESSAGES.test(message);
}

/** What keeps the database from its work until the operator or the server has done something. */
export type DatabaseFault = 'full' | 'unwritable' | 'unreachable';

const FULL_CODES = /^(SQLITE_FULL|53100|ENOSPC)$/;
const UNWRITABLE_CODES = /^(SQLITE_(READONLY|IOERR|CANTOPEN)(_.*)?|25006|58030)$/;
/** No connection, or none is left; what ends one connection only, such as a time-out of its own, is not among them. */
const UNREACHABLE_CODES = /^(08...|53300|57P0[123])$/;

/** The trouble that the error of a driver comes of; `null`: it says nothing of the database as a whole. */
export function faultOf(error: unknown): DatabaseFault | null {
  const { code, message } = driverErrorOf(error);
  if (typeof code !== 'string')
    return typeof message === 'string' && PASSING_DRIVER_MESSAGES.test(message) ? 'unreachable' : null;
  if (FULL_CODES.test(code)) return 'full';
  if (UNWRITABLE_CODES.test(code)) return 'unwritable';
  return UNREACHABLE_CODES.test(code) || PASSING_NETWORK_CODES.test(code) ? 'unreachable' : null;
}

/** Whether a PostgreSQL connection is of no more use: broken, stuck in a statement, or in a session that may not write. */
export function endsSession(error: unknown): boolean {
  return isOfSession(driverErrorOf(error));
}

export function isBusy(error: unknown): boolean {
  const { code } = driverErrorOf(error);
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}

/** Whether PostgreSQL gave up a transaction for the sake of another: it may be tried again from its beginning. */
export function isConflict(error: unknown): boolean {
  const { code } = driverErrorOf(error);
  return typeof code === 'string' && CONFLICT_CODES.has(code);
}

/** Whether all connections of a pool were in use for so long that no more was waited for. */
export function isOfBusyPool(error: unknown): boolean {
  return driverErrorOf(error).message === BUSY_POOL;
}

/** Whether another server with the same data would not have failed: the connection broke, or the server gave up for others' sake. */
export function isOfServer(error: unknown): boolean {
  return endsSession(error) || isConflict(error);
}

/** Whether PostgreSQL refused a statement because its transaction had failed before. */
export function isOfAborted(error: unknown): boolean {
  return driverErrorOf(error).code === IN_FAILED_TRANSACTION;
}

/** Whether a statement was refused as one would be that was written for another schema. */
export function isMisfit(error: unknown): boolean {
  const { code } = driverErrorOf(error);
  return typeof code === 'string' && MISFIT_CODES.test(code);
}

/** Whether PostgreSQL refused to wait any longer for what somebody else holds. */
export function isHeldByOthers(error: unknown): boolean {
  return driverErrorOf(error).code === LOCK_REFUSED;
}

/** What a change was judged by is no longer so; it is tried again from its beginning, as a conflict in the database is. */
export class Superseded extends Error {
  /** serialization_failure */
  readonly code = '40001';
}

/**
 * Whether a statement was refused by this unique key. Judged by the driver's code; PostgreSQL names the key, SQLite its
 * columns (`table.column`, comma-separated) in a message of fixed form.
 */
export function violatesUniqueKey(error: unknown, key: UniqueKey): boolean {
  const { code, message, constraint } = driverErrorOf(error);
  if (code === '23505') return constraint === key.name;
  if (code !== 'SQLITE_CONSTRAINT_UNIQUE' && code !== 'SQLITE_CONSTRAINT_PRIMARYKEY') return false;
  const columns = key.columns.map((column) => `${key.table}.${column}`).join(', ');
  return message === `UNIQUE constraint failed: ${columns}`;
}

export interface UniqueKey {
  readonly name: string;
  readonly table: string;
  readonly columns: readonly string[];
}
