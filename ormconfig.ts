import { DataSource, type DataSourceOptions } from 'typeorm';
import { compose } from './src/app/composition/compose.js';
import { locateDatabase } from './src/database/database-url.js';
import type { OpenOptions } from './src/database/open-database.js';
import type { loadSqlite } from './src/database/sqlite/sqlite-driver.js';
import type { WholeSchema } from './src/database/schema/schema.js';

/** The one definition of the database, for the application and for the TypeORM CLI, which knows our history alone. */
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
    const { PipelinedClient } = await import('./src/database/postgres/pipelined-client.js');
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

/** Not with this file: PostgreSQL has no use for it. */
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
      // For programs and logs that `Checkpoints` does not get at: in pages, 64 MiB.
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
 * A process that stands still in the middle of a transaction loses it, and so sooner than others give up waiting for what it
 * holds: they are served then. One that works gets to its next statement within milliseconds.
 */
const IDLE_TIMEOUT = 7000;
/** For a server that is no longer there to keep its own time. */
const ANSWER_TIMEOUT = 65_000;
/** Connections of the pool for reads; exports have a few of their own. */
const POOL_SIZE = 6;
/** Two for groups of changes, six for what holds or wants a zone, the rest for what belongs to none. */
const POOL_OF_CHANGES = 10;

/** Standbys of `[database] read_urls`, for programs that serve. */
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
  // Loads pg, which SQLite has no use for.
  const { NUMBERS } = await import('./src/database/statements/number-types.js');
  const { beginSession, CLIENT_KEEPALIVE, LOCK_TIMEOUT } = await import('./src/database/postgres/postgres-session.js');
  const { ServerClient } = await import('./src/database/postgres/server-client.js');
  const { ServerSearch } = await import('./src/database/postgres/server-search.js');
  return {
    type: 'postgres',
    url,
    ...tables,
    applicationName: 'zonewright',
    poolSize: POOL_SIZE,
    connectTimeoutMS: CONNECT_TIMEOUT,
    extra: {
      Client: ServerClient,
      // No other server may be changed, or shows all that was acknowledged.
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

/** More than the service has, so that none is prepared twice. */
const STATEMENTS = 200;

interface Connection {
  pragma(source: string): unknown;
}

/**
 * What the TypeORM CLI loads. It awaits the export, and only then is the configuration read: the application imports
 * this file too, and reads its configuration itself.
 */
export default {
  then(resolve: (dataSource: DataSource) => void, reject: (error: unknown) => void): void {
    configuredDataSource().then(resolve, reject);
  },
};

async function configuredDataSource(): Promise<DataSource> {
  const composition = compose();
  const { writer } = await dataSourceOptions(composition.config.database.url, await composition.schema());
  return new DataSource(writer);
}
