import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type DataSourceOptions, type QueryRunner } from 'typeorm';
import { isConflict, isHeldByOthers } from '../database-failure.js';
import { withoutTimeouts } from '../postgres/postgres-session.js';
import { LOCK_TIMEOUT_MS, whenUnlocked } from '../sqlite/write-lock.js';

export interface MigrationSession {
  readonly dataSource: DataSource;
  readonly runner: QueryRunner | undefined;
  /** All or nothing, while no other process changes the schema. */
  transaction<T>(work: () => Promise<T>): Promise<T>;
  /** While requests are served: if it must wait for their locks, it lets them through and retries. */
  transactionBesideRequests<T>(work: () => Promise<T>): Promise<T>;
}

export async function inMigrationSession<T>(
  writer: DataSource,
  work: (session: MigrationSession) => Promise<T>,
): Promise<T> {
  return writer.options.type === 'postgres' ? onPostgres(writer.options, work) : work(sqliteSession(writer));
}

function sqliteSession(writer: DataSource): MigrationSession {
  const transaction = async <T>(work: () => Promise<T>): Promise<T> => {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    await whenUnlocked(deadline, () => writer.query('BEGIN IMMEDIATE'));
    const result = await work().catch(async (error: unknown) => {
      // SQLite rolls back by itself after some errors, such as a full disk.
      await writer.query('ROLLBACK').catch(() => undefined);
      throw error;
    });
    await writer.query('COMMIT');
    return result;
  };
  return { dataSource: writer, runner: undefined, transaction, transactionBesideRequests: transaction };
}

/** An arbitrary number that all processes share. */
const MIGRATION_LOCK = 20_261_120;
const LOCK_POLL_MS = 100;

/** TypeORM takes no lock around migrations. */
async function onPostgres<T>(options: DataSourceOptions, work: (session: MigrationSession) => Promise<T>): Promise<T> {
  const patient = await new DataSource(withoutTimeouts(options)).initialize();
  const runner = patient.createQueryRunner();
  try {
    await takeMigrationLock(runner);
    return await work(postgresSession(patient, runner));
  } finally {
    // Closing the connection rolls back uncommitted work and releases the lock.
    await runner.release();
    await patient.destroy();
  }
}

/** Polls: CREATE INDEX CONCURRENTLY and a waiting session would wait for each other. */
async function takeMigrationLock(runner: QueryRunner): Promise<void> {
  for (;;) {
    const [row] = (await runner.query('SELECT pg_try_advisory_lock($1) AS "isTaken"', [MIGRATION_LOCK])) as [
      { readonly isTaken: boolean },
    ];
    if (row.isTaken) return;
    await delay(LOCK_POLL_MS);
  }
}

/** Short, since later requests wait behind a waiting table lock. */
const LOCK_WAIT_MS = 1000;
/** A slow list or export holds a table for as long as it may run. */
const GIVE_UP_MS = 600_000;

function postgresSession(dataSource: DataSource, runner: QueryRunner): MigrationSession {
  const transaction = async <T>(work: () => Promise<T>): Promise<T> => {
    await runner.startTransaction();
    try {
      const result = await work();
      await runner.commitTransaction();
      return result;
    } catch (error) {
      await runner.rollbackTransaction();
      throw error;
    }
  };
  const impatient = <T>(work: () => Promise<T>): Promise<T> =>
    transaction(async () => {
      await runner.query(`SET LOCAL lock_timeout = ${LOCK_WAIT_MS}`);
      return work();
    });
  return {
    dataSource,
    runner,
    transaction,
    transactionBesideRequests: (work) => untilLocked(() => impatient(work)),
  };
}

async function untilLocked<T>(attempt: () => Promise<T>): Promise<T> {
  const deadline = performance.now() + GIVE_UP_MS;
  for (;;) {
    try {
      return await attempt();
    } catch (error) {
      if (!(isHeldByOthers(error) || isConflict(error)) || performance.now() > deadline) throw error;
      await delay(LOCK_WAIT_MS);
    }
  }
}
