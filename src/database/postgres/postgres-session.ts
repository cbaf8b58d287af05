import type { DataSource, DataSourceOptions } from 'typeorm';
import { clientOf, type PostgresClient } from './postgres-client.js';

/** How long a session waits at most, in milliseconds; 0: without end. */
export interface SessionBounds {
  readonly lockTimeout: number;
  readonly statementTimeout: number;
  /** For the next statement of a transaction. */
  readonly idleTimeout: number;
  /** Whether what a standby shows will do. */
  readonly mayBeStandby?: boolean;
}

/**
 * No statement of a request is meant to read a table from end to end. The planner would: it plans for every tenant and zone
 * alike, so where one has nearly all rows of a table it reads all of them for everybody.
 */
const ALONG_INDEXES = [
  ['enable_seqscan', 'off'],
  // A plan that cannot do without counts as expensive, which compiling it does not change.
  ['jit', 'off'],
] as const;

/**
 * How soon the server finds out that this machine is gone, which has said nothing about it: after 10 seconds of silence it
 * asks, three times in 15 seconds. What it has sent must be confirmed as soon. The system's own times are hours, for which a
 * lost machine would keep its locks.
 */
const KEEPALIVES = [
  ['tcp_keepalives_idle', '10'],
  ['tcp_keepalives_interval', '5'],
  ['tcp_keepalives_count', '3'],
  ['tcp_user_timeout', '25000'],
] as const;

/** The same for a server that is gone, where the client itself asks; in milliseconds. */
export const CLIENT_KEEPALIVE = 10_000;

/**
 * In milliseconds. A connection is waited for a little shorter than a lock, and a lock shorter than a statement; what has a
 * connection and can wait without one does so (`PostgresUnitOfWork`).
 */
export const LOCK_TIMEOUT = 10_000;

/** In milliseconds: the pool's own bound ends with the connection. */
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

/**
 * What is done with each new connection before anybody has it. The bounds are set by a statement, since poolers refuse them
 * in the message that begins a connection.
 * @returns what pg's pool takes as `onConnect`; it throws where the server is a standby that will not do
 */
export function beginSession(bounds: SessionBounds): (client: Pick<PostgresClient, 'query'>) => Promise<void> {
  // What has no bound is there for whole tables: it migrates and checks.
  const text = bounds.statementTimeout === 0 ? SET_UP : SET_UP_ALONG_INDEXES;
  const values = [bounds.lockTimeout, bounds.statementTimeout, bounds.idleTimeout].map(String);
  return async (client) => {
    const { rows } = await client.query({ text, values, query_timeout: SET_UP_TIMEOUT });
    const [session] = rows as [{ readonly isStandby: boolean }];
    if (session.isStandby && bounds.mayBeStandby !== true) throw new StandbyReached();
  };
}

/** The same database for work that takes as long as it takes, or waits for a lock that does. */
export function withoutTimeouts(options: DataSourceOptions): DataSourceOptions {
  const endless = {
    query_timeout: 0,
    onConnect: beginSession({ lockTimeout: 0, statementTimeout: 0, idleTimeout: 0 }),
  };
  // TypeORM leaves the type of `extra` open.
  return { ...options, extra: { ...(options.extra as object), ...endless } };
}

/** What a standby shows may be older than what was acknowledged, so it is not read from either. */
class StandbyReached extends Error {
  /** What it answers to a change itself: read_only_sql_transaction. */
  readonly code = '25006';

  constructor() {
    super(
      'the server is a standby, which follows another; the URL must lead to the primary, or name it beside this one',
    );
  }
}

/**
 * Statements stay prepared and locks are held by session. A pooler that gives each transaction another session is found out
 * by two connections that take turns: what one has given back last is given out first.
 * @throws Error that tells the operator
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
