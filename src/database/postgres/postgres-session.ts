import type { DataSource, DataSourceOptions } from 'typeorm';
import { clientOf, type PostgresClient } from './postgres-client.js';
import pg from 'pg';

/** In milliseconds; 0: unlimited. */
export interface SessionBounds {
  readonly lockTimeout: number;
  readonly statementTimeout: number;
  /** For the next statement of a transaction. */
  readonly idleTimeout: number;
  readonly mayBeStandby?: boolean;
}

/** No request should scan a whole table, as the planner would if one tenant has nearly all rows of it. */
const ALONG_INDEXES = [
  ['enable_seqscan', 'off'],
  // A plan that needs a scan looks expensive, and JIT does not help.
  ['jit', 'off'],
] as const;

/** Detects a dead client after 25 s; the system's defaults are hours, during which it would keep its locks. */
const KEEPALIVES = [
  ['tcp_keepalives_idle', '10'],
  ['tcp_keepalives_interval', '5'],
  ['tcp_keepalives_count', '3'],
  ['tcp_user_timeout', '25000'],
] as const;

/** In milliseconds. Detects a dead server. */
export const CLIENT_KEEPALIVE = 10_000;

/** In milliseconds. The wait for a connection is shorter than for a lock, and that shorter than for a statement. */
export const LOCK_TIMEOUT = 10_000;

/** In milliseconds. The pool's own limit ends when the connection opens. */
const SET_UP_TIMEOUT = 5000;
const SET_UP =
  'SELECT pg_is_in_recovery() AS "isStandby",' +
  " set_config('lock_timeout', $1, false), set_config('statement_timeout', $2, false)," +
  " set_config('idle_in_transaction_session_timeout', $3, false)" +
  settings(KEEPALIVES);
const SET_UP_ALONG_INDEXES = SET_UP + settings(ALONG_INDEXES);

function settings(named: readonly (readonly [name: string, value: string])[]): string {
  return named.map(([name, value]) => `, set_config('${name}', '${value}', false)`).join('');
}

/** For `onConnect` of pg's pool. A statement sets the limits, since poolers refuse them in the startup message. */
export function beginSession(bounds: SessionBounds): (client: Pick<PostgresClient, 'query'>) => Promise<void> {
  // No limit: for migrations and checks, which work on whole tables.
  const text = bounds.statementTimeout === 0 ? SET_UP : SET_UP_ALONG_INDEXES;
  const values = [bounds.lockTimeout, bounds.statementTimeout, bounds.idleTimeout].map(String);
  return async (client) => {
    const { rows } = await client.query({ text, values, query_timeout: SET_UP_TIMEOUT });
    const [session] = rows as [{ readonly isStandby: boolean }];
    if (session.isStandby && bounds.mayBeStandby !== true) throw new StandbyReached();
  };
}

export function withoutTimeouts(options: DataSourceOptions): DataSourceOptions {
  const endless = {
    query_timeout: 0,
    onConnect: beginSession({ lockTimeout: 0, statementTimeout: 0, idleTimeout: 0 }),
  };
  return { ...options, extra: { ...(options.extra as object), ...endless } };
}

/** A standby may be older than acknowledged changes, so it is not read either. */
class StandbyReached extends Error {
  /** read_only_sql_transaction */
  readonly code = '25006';

  constructor() {
    super(
      'the server is a standby, which follows another; the URL must lead to the primary, or name it beside this one',
    );
  }
}

/**
 * Detects poolers that give each transaction another session, since prepared statements and locks need one session. Two
 * connections take turns: such a pooler gives out the last one returned first.
 * @throws Error for the operator
 */
export async function assertSessionsLast(source: DataSource): Promise<void> {
  const runners = [source.createQueryRunner(), source.createQueryRunner()] as const;
  try {
    const [first, second] = await Promise.all([clientOf(runners[0]), clientOf(runners[1])]);
    const session = await sessionOf(first);
    for (const statement of ['BEGIN', 'COMMIT']) for (const client of [first, second]) await client.query(statement);
    if ((await sessionOf(first)) === session) return;
  } finally {
    await Promise.all(runners.map((runner) => runner.release()));
  }
  throw new Error('a connection pooler gives every transaction another session: it must work in session mode');
}

async function sessionOf(client: PostgresClient): Promise<number> {
  const { rows } = await client.query({ text: 'SELECT pg_backend_pid() AS id', values: [] });
  const [session] = rows as [{ readonly id: number }];
  return session.id;
}

/** pg reads bigint as text; a number holds every integer of Zonewright. */
export const NUMBERS = new pg.TypeOverrides();
NUMBERS.setTypeParser(pg.types.builtins.INT8, Number);
