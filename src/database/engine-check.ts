import type { EngineCheck } from './postgres/postgres-check.js';
import { damageIn } from './database-failure.js';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { DatabaseOpenError, reasonOf } from './database-failure.js';
import { assertPresent } from './database-location.js';
import { checkPostgres } from './postgres/postgres-check.js';

/** Blocks this process; other processes can read and write meanwhile. @throws DatabaseOpenError */
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
