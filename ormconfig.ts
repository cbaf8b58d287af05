import { DataSource, type DataSourceOptions } from 'typeorm';
import { TokenEntity } from './src/auth/token.entity.js';
import { loadConfig } from './src/config/load-config.js';
import { locateDatabase } from './src/database/database-url.js';
import { CreateTables1763600000000 } from './src/database/migrations/1763600000000-create-tables.js';
import { CreateQuotas1763610000000 } from './src/database/migrations/1763610000000-create-quotas.js';
import { NameZones1763700000000 } from './src/database/migrations/1763700000000-name-zones.js';
import { NUMBERS } from './src/database/number-types.js';
import type { OpenOptions } from './src/database/open-database.js';
import { ZoneEntity } from './src/zones/zone.entity.js';
import { JournalEntity } from './src/zones/journal.entity.js';
import { TenantEntity } from './src/zones/tenant.entity.js';
import { QuotaEntity } from './src/quotas/quota.entity.js';
import { RecordEntity } from './src/records/record.entity.js';
import { RecordSetEntity } from './src/records/record-set.entity.js';

const entities = [ZoneEntity, TenantEntity, JournalEntity, RecordEntity, RecordSetEntity, QuotaEntity, TokenEntity];
const migrations = [CreateTables1763600000000, CreateQuotas1763610000000, NameZones1763700000000];

/** The one definition of the database, for the application and for the TypeORM CLI. */
export function dataSourceOptions(url: string): Omit<OpenOptions, 'migrate'> {
  const location = locateDatabase(url);
  if (location.kind === 'memory') return { writer: writerOf(':memory:'), reader: null };
  if (location.kind === 'server') return { writer: poolOf(location.url), reader: poolOf(location.url) };
  return { writer: writerOf(location.path), reader: readerOf(location.path) };
}

function writerOf(database: string): DataSourceOptions {
  return {
    type: 'better-sqlite3',
    database,
    entities,
    migrations,
    statementCacheSize: STATEMENTS,
    prepareDatabase: (connection: Connection) => {
      connection.pragma('journal_mode = WAL');
      // An answered change survives a power cut; group commit makes this cost no more than NORMAL.
      connection.pragma('synchronous = FULL');
      // A page that changes with every commit is copied back every 16 MiB of log, instead of every 4.
      connection.pragma('wal_autocheckpoint = 4000');
    },
  };
}

function readerOf(database: string): DataSourceOptions {
  return { type: 'better-sqlite3', database, entities, readonly: true, statementCacheSize: STATEMENTS };
}

/** In milliseconds. A connection is waited for a little shorter than a lock, and a lock shorter than a statement. */
const CONNECT_TIMEOUT = 5000;
const LOCK_TIMEOUT = 10_000;
const STATEMENT_TIMEOUT = 60_000;
/** For a server that is no longer there to keep its own time. */
const ANSWER_TIMEOUT = 65_000;
/** Connections of one pool; a process has one for changes, one for reads, and a few for exports. */
const POOL_SIZE = 6;

function poolOf(url: string): DataSourceOptions {
  return {
    type: 'postgres',
    url,
    entities,
    migrations,
    applicationName: 'zonewright',
    poolSize: POOL_SIZE,
    connectTimeoutMS: CONNECT_TIMEOUT,
    extra: {
      keepAlive: true,
      lock_timeout: LOCK_TIMEOUT,
      statement_timeout: STATEMENT_TIMEOUT,
      query_timeout: ANSWER_TIMEOUT,
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
  then(resolve: (dataSource: DataSource) => void): void {
    resolve(new DataSource(dataSourceOptions(loadConfig().database.url).writer));
  },
};
