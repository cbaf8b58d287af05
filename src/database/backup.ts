import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { damageIn } from './integrity.js';
import { Migrations } from './schema/migrate.js';
import { createPrivateFile, exists } from './private-files.js';
import type { MigrationHistory } from './schema/schema.js';
import { unwritable } from './unwritable.js';

/** What a backup holds. */
export interface BackupContents {
  readonly zones: number;
  readonly records: number;
  /** Whether another release has made it, which must read it, or bring it up to date. */
  readonly isOfAnotherRelease: boolean;
}

/**
 * Writes the database as it is at this moment into a file of its own, while others go on reading and changing it
 * (ADR 15). The file appears under its name once it is whole, verified and on the disk. Whichever release has made the
 * database: before an upgrade, the newer one may be what is there already.
 * @throws Error for a file that exists already or cannot be written, a disk that is full, a copy that is not sound
 */
export async function backUp(
  source: DataSourceOptions,
  histories: readonly MigrationHistory[],
  file: string,
): Promise<BackupContents> {
  if (await exists(file)) throw new Error(`${file} exists already: a backup overwrites nothing`);
  const unfinished = `${file}.part`;
  try {
    await rm(unfinished, { force: true });
    // SQLite fills an empty file and leaves its mode as it is.
    await createPrivateFile(unfinished);
  } catch (error) {
    throw unwritable(file, error);
  }
  try {
    await withDatabase(source, (database) => database.query('VACUUM INTO ?', [unfinished]));
    const contents = await withDatabase(copyOf(source, unfinished), (copy) => verify(copy, histories));
    await syncToDisk(unfinished);
    await rename(unfinished, file);
    await syncToDisk(dirname(file));
    return contents;
  } catch (error) {
    await rm(unfinished, { force: true });
    throw error;
  }
}

function copyOf(source: DataSourceOptions, file: string): DataSourceOptions {
  // Only the file differs; the union of all drivers' options hides that `database` is SQLite's path here.
  return { ...source, database: file } as DataSourceOptions;
}

/** @throws Error for a copy that SQLite finds damaged, or that is no database of ours */
async function verify(copy: DataSource, histories: readonly MigrationHistory[]): Promise<BackupContents> {
  const [damage] = damageIn(await copy.query<{ integrity_check: string }[]>('PRAGMA integrity_check'));
  if (damage !== undefined) throw new Error(`the copy is damaged: ${damage}`);
  const { done, pending, unknown } = await new Migrations(histories).stateOf(copy);
  if (done === 0) throw new Error('there is nothing to back up: the database has no schema of Zonewright');
  return {
    zones: await count(copy, ZONES),
    records: await count(copy, ['records']),
    isOfAnotherRelease: pending.length > 0 || unknown.length > 0,
  };
}

/** As they are called now, and as version 0.1 called them. */
const ZONES = ['zones', 'domains'];

/** Of the first of these tables that is there. */
async function count(copy: DataSource, names: readonly string[]): Promise<number> {
  const known = "SELECT name FROM sqlite_master WHERE type = 'table'";
  const tables = (await copy.query<{ name: string }[]>(known)).map(({ name }) => name);
  const table = names.find((name) => tables.includes(name));
  if (table === undefined) return 0;
  const [row] = await copy.query<{ rows: number }[]>(`SELECT COUNT(*) AS "rows" FROM ${table}`);
  return row?.rows ?? 0;
}

async function withDatabase<T>(options: DataSourceOptions, work: (database: DataSource) => Promise<T>): Promise<T> {
  const database = await new DataSource(options).initialize();
  try {
    return await work(database);
  } finally {
    await database.destroy();
  }
}

/** A file's contents, or the names in a directory. */
async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}
