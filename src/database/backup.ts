import { open, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { createPrivateFile, exists } from './private-files.js';

/** What a backup holds. */
export interface BackupContents {
  readonly zones: number;
  readonly records: number;
}

/**
 * Writes the database as it is at this moment into a file of its own, while others go on reading and changing it
 * (ADR 15). The file appears under its name once it is whole, verified and on the disk.
 * @throws Error for a file that exists already, a disk that is full, a copy that is not sound
 */
export async function backUp(source: DataSourceOptions, file: string): Promise<BackupContents> {
  if (await exists(file)) throw new Error(`${file} exists already: a backup overwrites nothing`);
  const unfinished = `${file}.part`;
  await rm(unfinished, { force: true });
  try {
    // SQLite fills an empty file and leaves its mode as it is.
    await createPrivateFile(unfinished);
    await withDatabase(source, (database) => database.query('VACUUM INTO ?', [unfinished]));
    const contents = await withDatabase(copyOf(source, unfinished), verify);
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
async function verify(copy: DataSource): Promise<BackupContents> {
  const findings = await copy.query<{ integrity_check: string }[]>('PRAGMA integrity_check');
  const [finding] = findings;
  if (findings.length !== 1 || finding?.integrity_check !== 'ok')
    throw new Error(`the copy is damaged: ${finding?.integrity_check ?? 'nothing was checked'}`);
  return { zones: await count(copy, 'zones'), records: await count(copy, 'records') };
}

async function count(copy: DataSource, table: 'zones' | 'records'): Promise<number> {
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
