import { dirname, resolve } from 'node:path';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { type Broadcast, NoBroadcast } from './broadcast.js';
import { Checkpoints } from './sqlite/checkpoints.js';
import { type ConnectionPools, NoPools, PostgresPools } from './postgres/connection-pools.js';
import { DatabaseFile, logOf } from './sqlite/database-file.js';
import { DatabaseOpenError, reasonOf, endsSession } from './database-failure.js';
import { assertPresent, assertWritable, makeIfMissing } from './database-location.js';
import { type DatabaseProbe, PostgresProbe, SqliteProbe } from './database-probe.js';
import { type MigrationExtent, Migrations, type MigrationLog } from './schema/migrate.js';
import { assertSessionsLast } from './postgres/postgres-session.js';
import { PostgresUnitOfWork } from './postgres/postgres-unit-of-work.js';
import { shownServers } from './postgres/server-list.js';
import { ConnectionReads, PooledReads, QueuedReads, type Reads, StreamConnections } from './reads.js';
import type { Primary, StandbyOptions } from './standbys/open-standbys.js';
import { Standbys } from './standbys/standbys.js';
import { Transaction } from './transaction.js';
import type { MigrationHistory } from './schema/schema.js';
import { schemaNotes, schemaRefusal } from './schema/schema-state.js';
import { explainedBy } from './schema-watch.js';
import { NoStagingArea, SqliteStagingArea, type StagingArea } from './statements/staging.js';
import { SqliteUnitOfWork } from './sqlite/sqlite-unit-of-work.js';
import { LOCK_TIMEOUT_MS, whenUnlocked } from './sqlite/write-lock.js';
import type { UnitOfWork } from './unit-of-work.js';

export interface OpenDatabase {
  readonly writer: DataSource;
  readonly reads: Reads;
  readonly unitOfWork: UnitOfWork;
  readonly probe: DatabaseProbe;
  readonly pools: ConnectionPools;
  readonly staging: StagingArea;
  readonly broadcast: Broadcast;
  readonly standbys: Standbys;
  /** Only standbys are configured. */
  readonly isReadOnly: boolean;
  /** For files next to the database; `null` if in memory. */
  readonly directory: string | null;
  readonly files: readonly string[];
  close(): Promise<void>;
}

export interface OpenOptions {
  readonly writer: DataSourceOptions;
  /** `null` if one connection must serve both, as in memory. */
  readonly reader: DataSourceOptions | null;
  readonly standbys?: StandbyOptions;
  readonly histories: readonly MigrationHistory[];
  /** `null`: the schema must be up to date. */
  readonly migrate: MigrationExtent | null;
  readonly log?: MigrationLog;
  readonly lockTimeoutMs?: number;
}

/** Opens the writer first: it creates the file, its WAL and the schema. @throws DatabaseOpenError */
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
    // From here on, the unit of work waits for locks instead, without blocking the event loop.
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
 * Only after the schema exists: a file in WAL mode must hold its tables itself. While another process holds the write
 * lock, SQLite refuses immediately.
 */
async function keepLog(writer: DataSource): Promise<void> {
  const deadline = performance.now() + LOCK_TIMEOUT_MS;
  await whenUnlocked(deadline, () => writer.query('PRAGMA journal_mode = WAL'));
}

/** Larger changes write pages before COMMIT, which would otherwise block the event loop for 100 ms. */
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
      // The writer last: the last connection to close checkpoints and removes the log.
      await closeAll(unitOfWork, reader === null ? [writer] : [reader, writer]);
    },
  };
}

/** Checks the file first: TypeORM would create missing directories. */
function streamsOf(reader: DataSource, file: DatabaseFile | null): StreamConnections {
  return new StreamConnections(
    () => new DataSource(reader.options).initialize(),
    () => file?.assertInPlace(),
  );
}

interface PostgresOptions extends Pick<OpenOptions, 'standbys'> {
  readonly reader: DataSourceOptions & { readonly type: 'postgres' };
}

/** Reads of whole zones; further ones wait. */
const STREAMS = 3;

/** Three pools: neither waiting changes nor exports of large zones leave a read without connection. */
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
    // Loads pg, which SQLite does not need.
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

async function sharedReads(
  named: StandbyOptions | undefined,
  primary: Primary,
): Promise<{ readonly reads: Reads; readonly standbys: Standbys }> {
  if (named === undefined || named.servers.length === 0) return { reads: primary.reads, standbys: Standbys.none() };
  const { openStandbys } = await import('./standbys/open-standbys.js');
  return openStandbys(named, primary);
}

/** On PostgreSQL, Nest's TypeORM module has already closed the writer. */
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

/** Also for a connection that breaks during the checks. */
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
