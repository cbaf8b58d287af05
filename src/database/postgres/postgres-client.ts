import type { QueryRunner } from 'typeorm';
import { OverdueCall } from '../../common/service-error.js';
import { endsSession } from '../database-failure.js';
import { entityManagerOf, type Transaction } from '../transaction.js';

/** The used part of pg's client, below TypeORM's runner: named statements stay prepared. */
export interface PostgresClient {
  query(query: string | (PostgresQuery & { readonly values: readonly unknown[] })): Promise<PostgresResult>;
  /** In `PipelinedClient` only. */
  holdForTurn?(): void;
  end(): Promise<void>;
  on(event: 'notice', listener: (notice: PostgresNotice) => void): unknown;
  off(event: 'notice', listener: (notice: PostgresNotice) => void): unknown;
}

export interface PostgresNotice {
  readonly code?: string;
  readonly message: string;
}

export interface NamedQuery {
  readonly name: string;
  readonly text: string;
}

export type PostgresQuery = (NamedQuery | Pick<NamedQuery, 'text'>) & {
  /** In milliseconds; overrides that of the connection. */
  readonly query_timeout?: number;
};

let namedQueries = 0;

/** PostgreSQL keeps a statement prepared under its name. */
export function nameQuery(text: string): NamedQuery {
  namedQueries += 1;
  return { name: `zw${namedQueries}`, text };
}

export interface PostgresResult {
  /** The command tag, such as `SELECT` or `COMMIT`. */
  readonly command: string;
  readonly rows: readonly unknown[];
}

export function postgresClientOf(tx: Transaction): Promise<PostgresClient> {
  const { queryRunner } = entityManagerOf(tx);
  if (queryRunner === undefined) throw new Error('this manager belongs to no unit of work and to no read');
  return clientOf(queryRunner);
}

export function clientOf(runner: QueryRunner): Promise<PostgresClient> {
  return runner.connect() as Promise<PostgresClient>;
}

/** Closes a broken connection, whose transaction is rolled back then. Returns whether it did. */
export function discardIfBroken(error: unknown, client: PostgresClient): boolean {
  if (!endsSession(error)) return false;
  // The server may never answer.
  void client.end();
  return true;
}

/** After a read: a timed-out plugin may have left a statement or a transaction open. */
export function discardIfUnfit(error: unknown, client: PostgresClient): boolean {
  if (discardIfBroken(error, client)) return true;
  if (!(error instanceof OverdueCall)) return false;
  void client.end();
  return true;
}

/** A lost connection has nothing to roll back. */
export async function rollBackQuietly(client: PostgresClient): Promise<void> {
  try {
    await client.query('ROLLBACK');
  } catch {
    return;
  }
}
