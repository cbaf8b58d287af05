import { DataSource, type DataSourceOptions } from 'typeorm';
import { TokenEntity } from './src/auth/token.entity.js';
import { loadConfig } from './src/config/load-config.js';
import { locateDatabase } from './src/database/database-url.js';
import { CreateTables1763600000000 } from './src/database/migrations/1763600000000-create-tables.js';
import { CreateQuotas1763610000000 } from './src/database/migrations/1763610000000-create-quotas.js';
import type { OpenOptions } from './src/database/open-database.js';
import { DomainEntity } from './src/domains/domain.entity.js';
import { JournalEntity } from './src/domains/journal.entity.js';
import { TenantEntity } from './src/domains/tenant.entity.js';
import { QuotaEntity } from './src/quotas/quota.entity.js';
import { RecordEntity } from './src/records/record.entity.js';
import { RecordsetEntity } from './src/records/recordset.entity.js';

const entities = [DomainEntity, TenantEntity, JournalEntity, RecordEntity, RecordsetEntity, QuotaEntity, TokenEntity];
const migrations = [CreateTables1763600000000, CreateQuotas1763610000000];

/** The one definition of the database, for the application and for the TypeORM CLI. */
export function dataSourceOptions(url: string): Omit<OpenOptions, 'migrate'> {
  const location = locateDatabase(url);
  if (location.kind === 'memory') return { writer: writerOf(':memory:'), reader: null };
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
    },
  };
}

function readerOf(database: string): DataSourceOptions {
  return { type: 'better-sqlite3', database, entities, readonly: true, statementCacheSize: STATEMENTS };
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
