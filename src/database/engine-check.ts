import { DataSource, type DataSourceOptions } from 'typeorm';
import { DatabaseOpenError, reasonOf } from './database-open-error.js';
import { assertPresent } from './database-location.js';
import { damageIn, type EngineCheck } from './integrity.js';
import { checkPostgres } from './postgres/postgres-check.js';

/**
 * Has the database engine check its own tables and indexes: what it does not notice, ours would read as it is. Others go on
 * reading and changing meanwhile; it holds up the process that asks.
 * @throws DatabaseOpenError for a database that is not there
 */
export async function checkEngine(options: DataSourceOptions): Promise<EngineCheck> {
  if (options.type === 'postgres') return checkPostgres(options);
  await assertPresent(String(options.database));
  return checkSqlite(options);
}

const SOUND = 'SQLite finds the file sound';

async function checkSqlite(options: DataSourceOptions): Promise<EngineCheck> {
  try {
    const source = await new DataSource(options).initialize();
    try {
      const damages = damageIn(await source.query<{ integrity_check: string }[]>('PRAGMA integrity_check'));
      return { damages, verdict: SOUND };
    } finally {
      await source.destroy();
    }
  } catch (error) {
    if (isDamage(error)) return { damages: [reasonOf(error)], verdict: SOUND };
    throw new DatabaseOpenError(`cannot open the database ${String(options.database)}: ${reasonOf(error)}`);
  }
}

/** SQLite stops checking at some kinds of damage. */
function isDamage(error: unknown): boolean {
  return /malformed|SQLITE_CORRUPT/.test(reasonOf(error));
}
