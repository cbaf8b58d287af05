import { type DataSource, MigrationExecutor } from 'typeorm';

/**
 * Runs what is missing of the schema, all of it or nothing. TypeORM takes no lock around migrations: the write lock
 * makes a process that starts at the same time wait, and then find nothing left to do.
 */
export async function runPendingMigrations(writer: DataSource): Promise<void> {
  if (!(await hasPendingMigrations(writer))) return;
  await writer.query('BEGIN IMMEDIATE');
  try {
    await writer.runMigrations({ transaction: 'none' });
  } catch (error) {
    await writer.query('ROLLBACK');
    throw error;
  }
  await writer.query('COMMIT');
}

/** Asks without writing, where `DataSource.showMigrations` would make a table of its own first. */
export async function hasPendingMigrations(writer: DataSource): Promise<boolean> {
  const pending = await new MigrationExecutor(writer).getPendingMigrations();
  return pending.length > 0;
}
