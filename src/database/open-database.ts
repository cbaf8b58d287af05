import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { type DatabaseProbe, SqliteProbe } from './database-probe.js';
import { hasPendingMigrations, runPendingMigrations } from './migrate.js';
import { ConnectionReads, QueuedReads, type Reads } from './reads.js';
import { SqliteUnitOfWork } from './sqlite-unit-of-work.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What the application needs of its database, open and with its schema up to date. */
export interface OpenDatabase {
  readonly writer: DataSource;
  readonly reads: Reads;
  readonly unitOfWork: UnitOfWork;
  readonly probe: DatabaseProbe;
  /** Where files that belong to this database are kept, or `null` for a database without a place. */
  readonly directory: string | null;
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly writer: DataSourceOptions;
  /** `null` where one connection must serve for both, as in memory. */
  readonly reader: DataSourceOptions | null;
  readonly migrate: boolean;
  /** How long a change waits at most while another process holds the write lock, in milliseconds. */
  readonly lockPatience?: number;
}

/** The database could not be opened; the message is one line for the operator. */
export class DatabaseOpenError extends Error {}

/** Opens the writer first: it creates the file, its WAL and the schema that the reader then finds. */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const writer = await initialize(options.writer);
  try {
    if (options.reader !== null) await assertWritable(String(writer.options.database));
    await bringUpToDate(writer, options.migrate);
    // From here on waiting for another process's lock must not block the event loop: the unit of work waits instead.
    await writer.query('PRAGMA busy_timeout = 0');
    const reader = options.reader === null ? null : await initialize(options.reader);
    return assemble(writer, reader, options.lockPatience);
  } catch (error) {
    await writer.destroy();
    throw error;
  }
}

function assemble(writer: DataSource, reader: DataSource | null, lockPatience?: number): OpenDatabase {
  const unitOfWork = new SqliteUnitOfWork(writer, lockPatience);
  const reads = reader === null ? new QueuedReads(unitOfWork) : readsOf(reader);
  const path = reader === null ? null : resolve(String(writer.options.database));
  return {
    writer,
    unitOfWork,
    reads,
    probe: new SqliteProbe(reads, unitOfWork, path),
    directory: path === null ? null : dirname(path),
    close: async () => {
      await unitOfWork.drained();
      await reader?.destroy();
      // Nest's TypeORM module may have closed it on its own way down.
      if (writer.isInitialized) await writer.destroy();
    },
  };
}

function readsOf(reader: DataSource): Reads {
  return new ConnectionReads(reader.createQueryRunner().manager, () => initialize(reader.options));
}

async function initialize(options: DataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize();
  } catch (error) {
    throw new DatabaseOpenError(`cannot open the database ${String(options.database)}: ${reasonOf(error)}`);
  }
}

/** SQLite opens a file that it cannot write to for reading, and would not notice when that has changed. */
async function assertWritable(path: string): Promise<void> {
  try {
    await access(path, constants.W_OK);
  } catch (error) {
    throw new DatabaseOpenError(`cannot write to the database ${path}: ${reasonOf(error)}`);
  }
}

async function bringUpToDate(writer: DataSource, migrate: boolean): Promise<void> {
  if (migrate) {
    await runPendingMigrations(writer).catch((error: unknown) => {
      throw new DatabaseOpenError(
        `cannot bring the database ${String(writer.options.database)} up to date: ${reasonOf(error)}`,
      );
    });
  } else if (await hasPendingMigrations(writer)) {
    throw new DatabaseOpenError(
      `the schema of the database ${String(writer.options.database)} is not up to date: run "zonewright migrate"` +
        ' or set [database] migrate = True',
    );
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error);
}
