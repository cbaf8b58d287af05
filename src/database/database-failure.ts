import { QueryFailedError } from 'typeorm';
import { ServiceError } from '../common/service-error.js';
import { statfs } from 'node:fs/promises';
import { dirname } from 'node:path';
import { causeOf } from '../common/service-error.js';
import { ThrottledLogger } from '../common/throttled-logger.js';

/** Pass once the operator or another process acts. */
const PASSING_SQLITE_CODES = /^SQLITE_(BUSY|LOCKED|FULL|READONLY|IOERR|CANTOPEN|NOMEM|PROTOCOL)(_|$)/;
/** Connection lost, resources exhausted, read-only, idle timeout, I/O, shutdown. */
const PASSING_SERVER_CODES = /^(08...|53...|25006|25P0[34]|57P0.|58030)$/;
/** Time-outs, and conflicts, which are retried before the caller sees an error. */
const PASSING_STATEMENT_CODES = /^(40001|40P01|55P03|57014)$/;
/** Includes a process without free file descriptors. */
const PASSING_NETWORK_CODES =
  /^(ECONNREFUSED|ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENETUNREACH|ENOTFOUND|EAI_AGAIN|EMFILE|ENFILE)$/;
/** pg has no codes for these. */
const PASSING_DRIVER_MESSAGES =
  /^(timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|Client has encountered a connection error|Client was closed)/;

/** The server ends a session: a new one that cannot write to a full disk gets XX000. Failed logins have other codes. */
const SESSION_ENDS = new Set(['FATAL', 'PANIC']);
const OWN_TROUBLE_CODES = /^(58|XX)...$/;

const BUSY_POOL = 'timeout exceeded when trying to connect';

/** Unique keys are not listed, since callers violate them. */
const MISFIT_CODES = /^(SQLITE_ERROR|SQLITE_CONSTRAINT_(NOTNULL|CHECK|FOREIGNKEY|TRIGGER)|42...|2350[23]|23514|0A000)$/;

const CONFLICT_CODES = new Set(['40001', '40P01']);
const LOCK_REFUSED = '55P03';
const NUL_IN_TEXT = '22021';
const IN_FAILED_TRANSACTION = '25P02';

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

/** Returns other errors unchanged. */
export function translateFailure(error: unknown): Error {
  if (driverErrorOf(error).code === NUL_IN_TEXT)
    return new ServiceError('invalid_object', 'The character U+0000 cannot be stored; leave it out.');
  if (!isPassing(driverErrorOf(error))) return error instanceof Error ? error : new Error(String(error));
  return unavailable(error);
}

/** @param cause for the operator's log; callers see the refusal only */
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

type DatabaseFault = 'full' | 'unwritable' | 'unreachable';

const FULL_CODES = /^(SQLITE_FULL|53100|ENOSPC)$/;
const UNWRITABLE_CODES = /^(SQLITE_(READONLY|IOERR|CANTOPEN)(_.*)?|25006|58030)$/;
/** Without errors that end one connection only, such as its time-out. */
const UNREACHABLE_CODES = /^(08...|53300|57P0[123])$/;

/** `null`: the error says nothing about the database as a whole. */
function faultOf(error: unknown): DatabaseFault | null {
  const { code, message } = driverErrorOf(error);
  if (typeof code !== 'string')
    return typeof message === 'string' && PASSING_DRIVER_MESSAGES.test(message) ? 'unreachable' : null;
  if (FULL_CODES.test(code)) return 'full';
  if (UNWRITABLE_CODES.test(code)) return 'unwritable';
  return UNREACHABLE_CODES.test(code) || PASSING_NETWORK_CODES.test(code) ? 'unreachable' : null;
}

/** The connection is broken, stuck in a statement, or read-only. */
export function endsSession(error: unknown): boolean {
  return isOfSession(driverErrorOf(error));
}

export function isBusy(error: unknown): boolean {
  const { code } = driverErrorOf(error);
  return typeof code === 'string' && code.startsWith('SQLITE_BUSY');
}

/** PostgreSQL aborted the transaction in favor of another one: retry it from its beginning. */
export function isConflict(error: unknown): boolean {
  const { code } = driverErrorOf(error);
  return typeof code === 'string' && CONFLICT_CODES.has(code);
}

export function isOfBusyPool(error: unknown): boolean {
  return driverErrorOf(error).message === BUSY_POOL;
}

/** Another server with the same data would not have failed. */
export function isOfServer(error: unknown): boolean {
  return endsSession(error) || isConflict(error);
}

export function isOfAborted(error: unknown): boolean {
  return driverErrorOf(error).code === IN_FAILED_TRANSACTION;
}

/** The statement was probably written for another schema. */
export function isMisfit(error: unknown): boolean {
  const { code } = driverErrorOf(error);
  return typeof code === 'string' && MISFIT_CODES.test(code);
}

export function isHeldByOthers(error: unknown): boolean {
  return driverErrorOf(error).code === LOCK_REFUSED;
}

/** The facts that a change was checked against have changed. It is retried like a database conflict. */
export class Superseded extends Error {
  /** serialization_failure */
  readonly code = '40001';
}

/** PostgreSQL names the key; SQLite lists its columns (`table.column`) in a message of fixed form. */
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

/** In octets. Less than a request may need, since SQLite's log can reuse its own space on a full disk. */
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

const warnings: Record<DatabaseFault, ThrottledLogger> = {
  full: new ThrottledLogger(),
  unwritable: new ThrottledLogger(),
  unreachable: new ThrottledLogger(),
};

export function tellFailure(error: unknown): Error {
  const fault = faultOf(error);
  if (fault !== null) {
    const { is, todo } = FAULTS[fault];
    warnings[fault].warn(`${is} (${causeOf(error)}). ${todo}.`);
  }
  return translateFailure(error);
}

export function recordAnswer(): void {
  end('unreachable');
}

/** Only while a fault is logged do callers record writes. */
export function isRefusingChanges(): boolean {
  return warnings.full.lasts || warnings.unwritable.lasts;
}

/** A small change may fit where a large one does not. @param path the SQLite file */
export async function recordWritten(path: string | null): Promise<void> {
  end('unwritable');
  // If the disk cannot be checked, assume that it is full.
  if (warnings.full.lasts && (path === null || (await hasRoom(path).catch(() => false)))) end('full');
}

export async function hasRoom(path: string): Promise<boolean> {
  const { bavail, bsize } = await statfs(dirname(path));
  return bavail * bsize >= MIN_FREE_SPACE;
}

function end(fault: DatabaseFault): void {
  warnings[fault].over(FAULTS[fault].over);
}

/** The message is one line for the operator. */
export class DatabaseOpenError extends Error {}

/** If several addresses fail, Node's error has no message. */
export function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return reasonOf(error.errors[0]);
  const [reason = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
  return reason;
}

export function damageIn(findings: readonly { readonly integrity_check: string }[]): string[] {
  if (findings.length === 0) return ['nothing was checked'];
  return findings.map(({ integrity_check }) => integrity_check).filter((finding) => finding !== 'ok');
}
