import { DataSource, type DataSourceOptions, MigrationExecutor, type QueryRunner } from 'typeorm';

/** Any number, as long as all processes agree on it. */
const MIGRATION_LOCK = 20_261_120;

/**
 * Runs what is missing of the schema, all of it or nothing. TypeORM takes no lock around migrations: ours makes a
 * process that starts at the same time wait, and then find nothing left to do.
 */
export async function runPendingMigrations(writer: DataSource): Promise<void> {
  if (!(await hasPendingMigrations(writer))) return;
  await (writer.options.type === 'postgres' ? migratePostgres(writer.options) : migrateSqlite(writer));
}

/** Asks without writing, where `DataSource.showMigrations` would make a table of its own first. */
export async function hasPendingMigrations(dataSource: DataSource, runner?: QueryRunner): Promise<boolean> {
  const pending = await new MigrationExecutor(dataSource, runner).getPendingMigrations();
  return pending.length > 0;
}

async function migrateSqlite(writer: DataSource): Promise<void> {
  await writer.query('BEGIN IMMEDIATE');
  try {
    await writer.runMigrations({ transaction: 'none' });
  } catch (error) {
    await writer.query('ROLLBACK');
    throw error;
  }
  await writer.query('COMMIT');
}

/** However long the lock or a statement takes. The lock ends with its connection. */
const NO_TIMEOUTS = { lock_timeout: 0, statement_timeout: 0, query_timeout: 0 };

async function migratePostgres(options: DataSourceOptions): Promise<void> {
  // TypeORM leaves the type of `extra` open.
  const extra = { ...(options.extra as object), ...NO_TIMEOUTS };
  const patient = await new DataSource({ ...options, extra }).initialize();
  const runner = patient.createQueryRunner();
  try {
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrations = new MigrationExecutor(patient, runner);
    migrations.transaction = 'all';
    await migrations.executePendingMigrations();
  } finally {
    await runner.release();
    await patient.destroy();
  }
}
