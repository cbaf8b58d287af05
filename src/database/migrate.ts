import { type DataSource, MigrationExecutor, type QueryRunner } from 'typeorm';

/** Any number, as long as all processes agree on it. */
const MIGRATION_LOCK = 20_261_120;

/**
 * Runs what is missing of the schema, all of it or nothing. TypeORM takes no lock around migrations: ours makes a
 * process that starts at the same time wait, and then find nothing left to do.
 */
export async function runPendingMigrations(writer: DataSource): Promise<void> {
  if (!(await hasPendingMigrations(writer))) return;
  await (writer.options.type === 'postgres' ? migratePostgres(writer) : migrateSqlite(writer));
}

/** Asks without writing, where `DataSource.showMigrations` would make a table of its own first. */
export async function hasPendingMigrations(writer: DataSource): Promise<boolean> {
  const pending = await new MigrationExecutor(writer).getPendingMigrations();
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

/** In the session that holds the lock, and however long it takes. */
async function migratePostgres(writer: DataSource): Promise<void> {
  const runner = writer.createQueryRunner();
  try {
    await runner.query('SET statement_timeout = 0; SET lock_timeout = 0');
    await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
    const migrations = new MigrationExecutor(writer, runner);
    migrations.transaction = 'all';
    await migrations.executePendingMigrations();
  } finally {
    await giveBack(runner);
  }
}

/** A connection that is gone has taken its lock with it. */
async function giveBack(runner: QueryRunner): Promise<void> {
  try {
    await runner.query('SELECT pg_advisory_unlock_all()');
    await runner.query('RESET statement_timeout; RESET lock_timeout');
  } catch {
    return;
  } finally {
    await runner.release();
  }
}
