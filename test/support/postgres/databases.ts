import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { MessageChannel, receiveMessageOnPort, Worker } from 'node:worker_threads';

/** Whether the tests of this run keep their data in PostgreSQL; SQLite otherwise. */
export const ON_POSTGRES = process.env.ZONEWRIGHT_TEST_DATABASE === 'postgres';

/**
 * Creates the database of a test directory with its schema, which is faster than a migration by the service. SQLite
 * creates it directly.
 */
export function provideSchema(directory: string): void {
  const { ZONEWRIGHT_TEST_POSTGRES_SCHEMA: schema } = process.env;
  if (ON_POSTGRES && schema !== undefined)
    queryPostgres(serverUrl(), `CREATE DATABASE ${nameFor(directory)} TEMPLATE ${schema}`);
}

/** The database of a test directory; created empty at the first call. */
export function postgresDatabaseOf(directory: string): string {
  const name = nameFor(directory);
  const known = queryPostgres(serverUrl(), 'SELECT 1 FROM pg_database WHERE datname = $1', [name]);
  if (known.length === 0) queryPostgres(serverUrl(), `CREATE DATABASE ${name}`);
  const url = new URL(serverUrl());
  url.pathname = name;
  return url.href;
}

function nameFor(directory: string): string {
  return `zw_${createHash('sha256').update(directory).digest('hex').slice(0, 20)}`;
}

export function dropPostgresDatabase(url: string): void {
  queryPostgres(serverUrl(), `DROP DATABASE IF EXISTS ${new URL(url).pathname.slice(1)} WITH (FORCE)`);
}

/** How many connections services have to a database. */
export function connectionsTo(url: string): number {
  const connections =
    "SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'zonewright'";
  return queryPostgres(url, connections).length;
}

/** The server that global-setup.js has started, or that the environment names. */
export function serverUrl(): string {
  const url = process.env.ZONEWRIGHT_TEST_POSTGRES_URL;
  if (url === undefined) throw new Error('there is no PostgreSQL: run the tests by npm test');
  return url;
}

interface Answer {
  readonly rows?: readonly unknown[];
  readonly error?: string;
}

let worker: { readonly ask: (question: object) => Answer } | undefined;

/**
 * Queries PostgreSQL synchronously, like better-sqlite3, so that tests read both databases alike. The statement must
 * not wait for a lock of the tested service, which is blocked meanwhile.
 */
export function queryPostgres(url: string, sql: string, values: readonly unknown[] = []): unknown[] {
  worker ??= startWorker();
  const { rows, error } = worker.ask({ url, sql, values });
  if (error !== undefined) throw new Error(error);
  return [...(rows ?? [])];
}

function startWorker(): { readonly ask: (question: object) => Answer } {
  const signal = new Int32Array(new SharedArrayBuffer(4));
  const { port1, port2 } = new MessageChannel();
  const thread = new Worker(join(import.meta.dirname, 'query-worker.js'), {
    workerData: { signal, answers: port2 },
    transferList: [port2],
    execArgv: [],
  });
  thread.unref();
  port1.unref();
  const ask = (question: object): Answer => {
    Atomics.store(signal, 0, 0);
    thread.postMessage(question);
    // The worker may wake this thread again for an earlier, already fetched response.
    while (Atomics.load(signal, 0) === 0) Atomics.wait(signal, 0, 0);
    return (receiveMessageOnPort(port1)?.message ?? { error: 'PostgreSQL gave no answer' }) as Answer;
  };
  return { ask };
}
