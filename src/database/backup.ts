import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { damageIn } from './database-failure.js';
import { Migrations } from './schema/migrate.js';
import { createPrivateFile, exists } from './private-files.js';
import type { MigrationHistory } from './schema/schema.js';
import { userInfo } from 'node:os';

export interface BackupContents {
  readonly zones: number;
  readonly records: number;
  /** This release must then read or migrate it. */
  readonly isOfAnotherRelease: boolean;
}

/**
 * Copies the database while other processes use it (ADR 15), then verifies, syncs and renames the file. Before an
 * upgrade, the newer release may be installed already, so it accepts any release.
 * @throws Error for a file that exists or cannot be written, a full disk, or a damaged copy
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
    // SQLite keeps the mode of an empty file.
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

/** @throws Error for a damaged copy, or a database of another program */
async function verify(copy: DataSource, histories: readonly MigrationHistory[]): Promise<BackupContents> {
  const [damage] = damageIn(await copy.query<{ integrity_check: string }[]>('PRAGMA integrity_check'));
  if (damage !== undefined) throw new Error(`the copy is damaged: ${damage}`);
  const { done, pending, unknown } = await new Migrations(histories).stateOf(copy);
  if (done === 0) throw new Error('there is nothing to back up: the database has no schema of Zonewright');
  return {
    zones: await count(copy, 'zones'),
    records: await count(copy, 'records'),
    isOfAnotherRelease: pending.length > 0 || unknown.length > 0,
  };
}

async function count(copy: DataSource, table: string): Promise<number> {
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

async function syncToDisk(path: string): Promise<void> {
  const handle = await open(path, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Names the user: packages run commands as the user of the service. */
function unwritable(file: string, error: unknown): Error {
  const directory = dirname(file);
  const reason = (error as NodeJS.ErrnoException).code;
  if (reason === 'EACCES' || reason === 'EPERM')
    return new Error(
      `cannot write ${file}: the user ${currentUser()}, who runs this, may not write in ${directory};` +
        ' name a directory of that user, such as that of the database',
    );
  if (reason === 'ENOENT') return new Error(`cannot write ${file}: there is no directory ${directory}`);
  return new Error(`cannot write ${file}: ${error instanceof Error ? error.message : String(error)}`);
}

function currentUser(): string {
  try {
    return userInfo().username;
  } catch {
    return String(process.getuid?.());
  }
}
