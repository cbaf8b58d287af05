import { dirname, resolve } from 'node:path';
import { DataSource } from 'typeorm';
import type { DataSourceOptions } from 'typeorm';
import { type Broadcast, NoBroadcast } from './broadcast.js';
import { Checkpoints } from './sqlite/checkpoints.js';
import { type ConnectionPools, NoPools, PostgresPools } from './postgres/connection-pools.js';
import { DatabaseFile } from './sqlite/database-file.js';
import { DatabaseOpenError, reasonOf } from './database-open-error.js';
import { endsSession } from './database-failure.js';
import { assertPresent, assertWritable, makeIfMissing } from './database-location.js';
import { type DatabaseProbe, PostgresProbe, SqliteProbe } from './database-probe.js';
import { type MigrationExtent, Migrations } from './schema/migrate.js';
import type { MigrationLog } from './schema/migration-steps.js';
import { assertSessionsLast } from './postgres/postgres-session.js';
import { PostgresUnitOfWork } from './postgres/postgres-unit-of-work.js';
import { shownServers } from './postgres/server-list.js';
import { ConnectionReads, PooledReads, QueuedReads, type Reads } from './reads.js';
import type { Primary, StandbyOptions } from './standbys/open-standbys.js';
import { Standbys } from './standbys/standbys.js';
import { StreamConnections } from './stream-connections.js';
import { Transaction } from './transaction.js';
import type { MigrationHistory } from './schema/schema.js';
import { schemaNotes, schemaRefusal } from './schema/schema-state.js';
import { explainedBy } from './schema-watch.js';
import { logOf } from './sqlite/sqlite-log.js';
import { NoStagingArea, SqliteStagingArea, type StagingArea } from './statements/staging.js';
import { SqliteUnitOfWork } from './sqlite/sqlite-unit-of-work.js';
import { LOCK_TIMEOUT_MS, whenUnlocked } from './sqlite/write-lock.js';
import type { UnitOfWork } from './unit-of-work.js';

/** What the application needs of its database, open and with its schema up to date. */
export interface OpenDatabase {
  readonly writer: DataSource;
  readonly reads: Reads;
  readonly unitOfWork: UnitOfWork;
  readonly probe: DatabaseProbe;
  readonly pools: ConnectionPools;
  readonly staging: StagingArea;
  readonly broadcast: Broadcast;
  readonly standbys: Standbys;
  /** Whether nothing can be changed: there are only standbys. */
  readonly isReadOnly: boolean;
  /** Where files that belong to this database are kept, or `null` for a database without a place. */
  readonly directory: string | null;
  /** The files that SQLite keeps it in. */
  readonly files: readonly string[];
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly writer: DataSourceOptions;
  /** `null` where one connection must serve for both, as in memory. */
  readonly reader: DataSourceOptions | null;
  /** Other servers that may be read; none unless it is said. */
  readonly standbys?: StandbyOptions;
  readonly histories: readonly MigrationHistory[];
  /** How far the schema is migrated, of a file that is made where there is none; `null`: it must be up to date. */
  readonly migrate: MigrationExtent | null;
  /** Is told what is done to the schema. */
  readonly log?: MigrationLog;
  /** How long a change waits at most while another process holds the write lock, in milliseconds. */
  readonly lockTimeoutMs?: number;
}

/**
 * Opens the writer first: it creates the file, its WAL and the schema that the reader then finds.
 * @throws DatabaseOpenError
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const path = options.reader?.type === 'better-sqlite3' ? String(options.writer.database) : null;
  if (options.reader === null && options.migrate === null) throw new DatabaseOpenError(OF_ONE_PROCESS);
  if (path !== null) await (options.migrate === null ? assertPresent(path) : makeIfMissing(path));
  const writer = await initialize(options.writer);
  const migrations = new Migrations(options.histories);
  try {
    if (path !== null) await assertWritable(path);
    if (options.writer.type === 'postgres') await assertOwnSessions(writer);
    if (options.migrate !== null) await bringUpToDate(writer, migrations, options.migrate, options.log ?? UNHEARD);
    await assertUpToDate(writer, migrations, options.log ?? UNHEARD);
    if (options.reader?.type === 'postgres')
      return await assemblePostgres(writer, { ...options, reader: options.reader }, migrations);
    await keepLog(writer);
    // From here on waiting for another process's lock must not block the event loop: the unit of work waits instead.
    await writer.query('PRAGMA busy_timeout = 0');
    await writer.query(`PRAGMA cache_spill = ${PAGES_LEFT_FOR_COMMIT}`);
    const reader = options.reader === null ? null : await initialize(options.reader);
    return assembleSqlite(writer, reader, migrations, options.lockTimeoutMs);
  } catch (error) {
    await writer.destroy();
    throw endsSession(error) ? cannotOpen(options.writer, error) : error;
  }
}

/**
 * Only where the schema is: a file that says that it has a log has its tables in itself. SQLite reads the file first, and
 * then refuses at once while another process holds the write lock, such as one that has started at the same time.
 */
async function keepLog(writer: DataSource): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  await whenUnlocked(deadline, () => writer.query('PRAGMA journal_mode = WAL'));
}

/** A large change writes what goes beyond before its COMMIT, which would otherwise hold the event loop for a tenth of a second. */
const PAGES_LEFT_FOR_COMMIT = 1000;

const OF_ONE_PROCESS =
  'a database in memory is empty at first and belongs to one process: only the service can use it, with [database] migrate = True';

function assembleSqlite(
  writer: DataSource,
  reader: DataSource | null,
  migrations: Migrations,
  lockTimeoutMs?: number,
): OpenDatabase {
  const path = reader === null ? null : resolve(String(writer.options.database));
  const file = path === null ? null : new DatabaseFile(path);
  const checkpoints = file === null || path === null ? null : new Checkpoints(path, file);
  const explain = explainedBy(migrations, writer);
  const unitOfWork = new SqliteUnitOfWork(writer, file, checkpoints, lockTimeoutMs, explain);
  const streams = reader === null ? null : streamsOf(reader, file);
  const reads =
    reader === null || streams === null
      ? new QueuedReads(unitOfWork)
      : new ConnectionReads(new Transaction(reader.createQueryRunner().manager), streams, explain);
  return {
    writer,
    unitOfWork,
    reads,
    probe: new SqliteProbe(reads, unitOfWork, migrations, path),
    pools: new NoPools(),
    staging: file === null ? new NoStagingArea() : new SqliteStagingArea(writer.options, file),
    broadcast: new NoBroadcast(),
    standbys: Standbys.none(),
    isReadOnly: false,
    directory: path === null ? null : dirname(path),
    files: path === null ? [] : [path, logOf(path)],
    close: async () => {
      await unitOfWork.drained();
      await checkpoints?.close();
      await streams?.close();
      // The writer last: who closes the database last copies what is left in its log, and removes the log.
      await closeAll(unitOfWork, reader === null ? [writer] : [reader, writer]);
    },
  };
}

/** What has the name by now may be another database, or nothing: TypeORM would make directories for it. */
function streamsOf(reader: DataSource, file: DatabaseFile | null): StreamConnections {
  return new StreamConnections(
    () => new DataSource(reader.options).initialize(),
    () => file?.assertInPlace(),
  );
}

interface PostgresOptions extends Pick<OpenOptions, 'standbys'> {
  readonly reader: DataSourceOptions & { readonly type: 'postgres' };
}

/** Connections for what reads a whole zone in one process; the others wait for one of them. */
const STREAMS = 3;

/** Three pools: neither changes that wait for a lock nor exports of large zones leave a read without connection. */
async function assemblePostgres(
  writer: DataSource,
  { reader: options, standbys: named }: PostgresOptions,
  migrations: Migrations,
): Promise<OpenDatabase> {
  const explain = explainedBy(migrations, writer);
  const unitOfWork = new PostgresUnitOfWork(writer, explain);
  const reader = await initialize(options);
  try {
    const streams = await initialize({ ...options, poolSize: STREAMS });
    const ofPrimary = new PooledReads(reader, streams, explain);
    const { reads, standbys } = await sharedReads(named, { source: reader, reads: ofPrimary, explain });
    // Loads pg, which SQLite has no use for.
    const { PostgresBroadcast } = await import('./postgres/postgres-broadcast.js');
    const broadcast = new PostgresBroadcast(options);
    return {
      writer,
      unitOfWork,
      reads,
      probe: new PostgresProbe(ofPrimary, unitOfWork, migrations),
      pools: new PostgresPools({ changes: writer, reads: reader, streams }),
      staging: new NoStagingArea(),
      broadcast,
      standbys,
      isReadOnly: false,
      directory: null,
      files: [],
      close: async () => {
        await broadcast.close();
        await standbys.close();
        await closeAll(unitOfWork, [streams, reader, writer]);
      },
    };
  } catch (error) {
    await reader.destroy();
    throw error;
  }
}

/** Without standbys everything is read of the primary. */
async function sharedReads(
  named: StandbyOptions | undefined,
  primary: Primary,
): Promise<{ readonly reads: Reads; readonly standbys: Standbys }> {
  if (named === undefined || named.servers.length === 0) return { reads: primary.reads, standbys: Standbys.none() };
  const { openStandbys } = await import('./standbys/open-standbys.js');
  return openStandbys(named, primary);
}

/** Nest's TypeORM module has closed the writer on its own way down, on PostgreSQL. */
async function closeAll(unitOfWork: UnitOfWork, dataSources: readonly DataSource[]): Promise<void> {
  await unitOfWork.drained();
  for (const dataSource of dataSources) if (dataSource.isInitialized) await dataSource.destroy();
}

async function initialize(options: DataSourceOptions): Promise<DataSource> {
  try {
    return await new DataSource(options).initialize();
  } catch (error) {
    throw cannotOpen(options, error);
  }
}

/** Also where the connection breaks while the database is looked at: it is as far away then as one that refuses it. */
function cannotOpen(options: DataSourceOptions, error: unknown): DatabaseOpenError {
  return new DatabaseOpenError(`cannot open the database ${nameOf(options)}: ${reasonOf(error)}`);
}

async function assertOwnSessions(writer: DataSource): Promise<void> {
  await assertSessionsLast(writer).catch((error: unknown) => {
    if (endsSession(error)) throw error;
    throw new DatabaseOpenError(`cannot use the database ${nameOf(writer.options)}: ${reasonOf(error)}`);
  });
}

const UNHEARD: MigrationLog = { log: () => undefined, warn: () => undefined };

async function bringUpToDate(
  writer: DataSource,
  migrations: Migrations,
  extent: MigrationExtent,
  log: MigrationLog,
): Promise<void> {
  const name = nameOf(writer.options);
  await migrations
    .run(writer, extent, { log: (line) => log.log(`${name}: ${line}`), warn: (line) => log.warn(`${name}: ${line}`) })
    .catch((error: unknown) => {
      if (endsSession(error)) throw error;
      throw new DatabaseOpenError(`cannot bring the database ${name} up to date: ${reasonOf(error)}`);
    });
}

async function assertUpToDate(writer: DataSource, migrations: Migrations, log: MigrationLog): Promise<void> {
  const name = nameOf(writer.options);
  const state = await migrations.stateOf(writer);
  const refusal = schemaRefusal(state);
  if (refusal !== null) throw new DatabaseOpenError(`cannot use the database ${name}: ${refusal}`);
  for (const line of schemaNotes(state)) log.log(`${name}: ${line}`);
}

function nameOf(options: DataSourceOptions): string {
  return options.type === 'postgres' ? shownServers(options.url ?? '') : String(options.database);
}
