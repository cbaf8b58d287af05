import type { QueryRunner } from 'typeorm';
import { OverdueCall } from '../../common/plugin-unavailable.js';
import { endsSession } from '../database-failure.js';
import { entityManagerOf, type Transaction } from '../transaction.js';

/** What we use of pg's client, on which TypeORM's runner sits: named statements stay prepared. */
export interface PostgresClient {
  query(query: string | (PostgresQuery & { readonly values: readonly unknown[] })): Promise<PostgresResult>;
  /** That of `PipelinedClient`, which other clients have not. */
  holdForTurn?(): void;
  end(): Promise<void>;
  on(event: 'notice', listener: (notice: PostgresNotice) => void): unknown;
  off(event: 'notice', listener: (notice: PostgresNotice) => void): unknown;
}

/** What the server says beside its answer. */
export interface PostgresNotice {
  readonly code?: string;
  readonly message: string;
}

export interface NamedQuery {
  readonly name: string;
  readonly text: string;
}

/** One without a name is forgotten when it is done. */
export type PostgresQuery = (NamedQuery | Pick<NamedQuery, 'text'>) & {
  /** In milliseconds, where it is not that of the connection. */
  readonly query_timeout?: number;
};

let namedQueries = 0;

/** PostgreSQL keeps a statement prepared under its name. */
export function nameQuery(text: string): NamedQuery {
  namedQueries += 1;
  return { name: `zw${namedQueries}`, text };
}

export interface PostgresResult {
  /** `SELECT`, `COMMIT`, … as the server names what it has done. */
  readonly command: string;
  readonly rows: readonly unknown[];
}

/** The client of a transaction or read. */
export function postgresClientOf(tx: Transaction): Promise<PostgresClient> {
  const { queryRunner } = entityManagerOf(tx);
  if (queryRunner === undefined) throw new Error('this manager belongs to no unit of work and to no read');
  return clientOf(queryRunner);
}

export function clientOf(runner: QueryRunner): Promise<PostgresClient> {
  // TypeORM does not know the type of what its drivers connect to.
  return runner.connect() as Promise<PostgresClient>;
}

/**
 * Closes the connection when the error has broken it, so that its pool makes another one. Returns whether it did: what
 * was open in it is undone then.
 */
export function discardIfBroken(error: unknown, client: PostgresClient): boolean {
  if (!endsSession(error)) return false;
  // The other side may never answer.
  void client.end();
  return true;
}

/** The same after a read: a plugin whose time is over may have left a statement under way, or a transaction of its own. */
export function discardIfUnfit(error: unknown, client: PostgresClient): boolean {
  if (discardIfBroken(error, client)) return true;
  if (!(error instanceof OverdueCall)) return false;
  void client.end();
  return true;
}

/** Where the connection is gone there is nothing to undo, and the pool drops it. */
export async function rollBackQuietly(client: PostgresClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
  } catch {
    return;
  }
}
