import type { DataSourceOptions } from 'typeorm';
import { locateDatabase } from './src/database/database-url.js';
import type { OpenOptions } from './src/database/open-database.js';
import type { loadSqlite } from './src/database/sqlite/sqlite-driver.js';
import type { WholeSchema } from './src/database/schema/schema.js';

/** Data source options of the application, the tests and the TypeORM CLI. @param url `[database] url` */
export async function dataSourceOptions(
  url: string,
  schema: WholeSchema,
): Promise<Omit<OpenOptions, 'migrate' | 'log'>> {
  const { histories } = schema;
  const { migrations, contractions } = histories[0];
  const tables = { entities: [...schema.entities], migrations: [...migrations, ...contractions] };
  const location = locateDatabase(url);
  if (location.kind === 'server') {
    const pool = await poolOf(location.url, tables);
    const { PipelinedClient } = await import('./src/database/postgres/server-client.js');
    // TypeORM leaves the type of `extra` open.
    const extra = { ...(pool.extra as object), Client: PipelinedClient };
    return { writer: { ...pool, extra, poolSize: POOL_OF_CHANGES }, reader: pool, histories };
  }
  const driver = await sqliteDriver();
  if (location.kind === 'memory') return { writer: writerOf(':memory:', tables, driver), reader: null, histories };
  const { path } = location;
  return { writer: writerOf(path, tables, driver), reader: readerOf(path, tables, driver), histories };
}

type Tables = Required<Pick<DataSourceOptions, 'entities' | 'migrations'>>;

/** Loads the driver only for SQLite. */
async function sqliteDriver(): Promise<SqliteDriver> {
  return (await import('./src/database/sqlite/sqlite-driver.js')).loadSqlite();
}

type SqliteDriver = ReturnType<typeof loadSqlite>;

function writerOf(database: string, tables: Tables, driver: SqliteDriver): DataSourceOptions {
  return {
    type: 'better-sqlite3',
    driver,
    database,
    ...tables,
    statementCacheSize: STATEMENTS,
    prepareDatabase: (connection: Connection) => {
      // An answered change survives a power cut; group commit makes this cost no more than NORMAL.
      connection.pragma('synchronous = FULL');
      // In pages, 64 MiB. Bounds the log where `Checkpoints` does not run.
      connection.pragma('wal_autocheckpoint = 16000');
    },
  };
}

function readerOf(database: string, { entities }: Tables, driver: SqliteDriver): DataSourceOptions {
  return { type: 'better-sqlite3', driver, database, entities, readonly: true, statementCacheSize: STATEMENTS };
}

/** In milliseconds. */
const CONNECT_TIMEOUT = 5000;
const STATEMENT_TIMEOUT = 60_000;
/**
 * Shorter than the lock timeout: a process that stalls inside a transaction loses it before the processes that wait for
 * its locks give up.
 */
const IDLE_TIMEOUT = 7000;
/** Longer than the statement timeout, for a server that can no longer enforce it. */
const ANSWER_TIMEOUT = 65_000;
/** Connections of the read pool. Exports have their own. */
const POOL_SIZE = 6;
/** Connections of the write pool: two for groups of changes, six for zone locks, two for other writes. */
const POOL_OF_CHANGES = 10;

/** Data source options of the standbys in `[database] read_urls`. */
export async function standbyOptions(
  urls: readonly string[],
  { entities }: WholeSchema,
): Promise<(DataSourceOptions & { readonly type: 'postgres' })[]> {
  const tables = { entities: [...entities], migrations: [] };
  return Promise.all(urls.map((url) => poolOf(url, tables, true)));
}

async function poolOf(
  url: string,
  tables: Tables,
  mayBeStandby = false,
): Promise<DataSourceOptions & { readonly type: 'postgres' }> {
  // Loads pg only for PostgreSQL.
  const { NUMBERS } = await import('./src/database/postgres/postgres-session.js');
  const { beginSession, CLIENT_KEEPALIVE, LOCK_TIMEOUT } = await import('./src/database/postgres/postgres-session.js');
  const { ServerClient } = await import('./src/database/postgres/server-client.js');
  const { ServerSearch } = await import('./src/database/postgres/server-client.js');
  return {
    type: 'postgres',
    url,
    ...tables,
    applicationName: 'zonewright',
    poolSize: POOL_SIZE,
    connectTimeoutMS: CONNECT_TIMEOUT,
    extra: {
      Client: ServerClient,
      // Only a primary accepts writes and shows every acknowledged one.
      search: ServerSearch.among(url, mayBeStandby ? 'any' : 'primary'),
      keepAlive: true,
      keepAliveInitialDelayMillis: CLIENT_KEEPALIVE,
      query_timeout: ANSWER_TIMEOUT,
      onConnect: beginSession({
        lockTimeout: LOCK_TIMEOUT,
        statementTimeout: STATEMENT_TIMEOUT,
        idleTimeout: IDLE_TIMEOUT,
        mayBeStandby,
      }),
      types: NUMBERS,
    },
  };
}

/** Above the number of statements in the service, so that each is prepared once. */
const STATEMENTS = 200;

interface Connection {
  pragma(source: string): unknown;
}
