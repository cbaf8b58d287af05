import { DataSource, type DataSourceOptions, MigrationExecutor, type QueryRunner } from 'typeorm';
import { beginSession } from './postgres-session.js';
import type { MigrationHistory } from './schema.js';

/** Any number, as long as all processes agree on it. */
const MIGRATION_LOCK = 20_261_120;

/** What leads to the schema: the migrations of the service, then those of each plugin. */
export class Migrations {
  constructor(private readonly histories: readonly MigrationHistory[]) {}

  /**
   * Runs what is missing of the schema, all of it or nothing. TypeORM takes no lock around migrations: ours makes a
   * process that starts at the same time wait, and then find nothing left to do.
   */
  async runPending(writer: DataSource): Promise<void> {
    if (!(await this.arePending(writer))) return;
    await (writer.options.type === 'postgres' ? this.migratePostgres(writer.options) : this.migrateSqlite(writer));
  }

  /** Asks without writing, where `DataSource.showMigrations` would make a table of its own first. */
  async arePending(dataSource: DataSource, runner?: QueryRunner): Promise<boolean> {
    for (const history of this.histories) {
      const pending = await executorOf(dataSource, history, runner).getPendingMigrations();
      if (pending.length > 0) return true;
    }
    return false;
  }

  private async migrateSqlite(writer: DataSource): Promise<void> {
    await writer.query('BEGIN IMMEDIATE');
    try {
      await this.runHistories(writer);
    } catch (error) {
      await writer.query('ROLLBACK');
      throw error;
    }
    await writer.query('COMMIT');
  }

  private async migratePostgres(options: DataSourceOptions): Promise<void> {
    // TypeORM leaves the type of `extra` open.
    const extra = { ...(options.extra as object), ...NO_TIMEOUTS };
    const patient = await new DataSource({ ...options, extra }).initialize();
    const runner = patient.createQueryRunner();
    try {
      await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await runner.startTransaction();
      await this.runHistories(patient, runner);
      await runner.commitTransaction();
    } finally {
      // What has not been committed ends with the connection, as the lock does.
      await runner.release();
      await patient.destroy();
    }
  }

  private async runHistories(dataSource: DataSource, runner?: QueryRunner): Promise<void> {
    for (const history of this.histories) {
      const executor = executorOf(dataSource, history, runner);
      executor.transaction = 'none';
      try {
        await executor.executePendingMigrations();
      } catch (error) {
        throw namingPlugin(history, error);
      }
    }
  }
}

function namingPlugin({ plugin }: MigrationHistory, error: unknown): unknown {
  if (plugin === null) return error;
  const reason = error instanceof Error ? error.message : String(error);
  return new Error(`plugin ${plugin}: a migration has failed, and nothing was migrated: ${reason}`, { cause: error });
}

/** However long the lock or a statement takes. */
const NO_TIMEOUTS = {
  query_timeout: 0,
  onConnect: beginSession({ lockTimeout: 0, statementTimeout: 0, idleTimeout: 0 }),
};

/** TypeORM knows one history of a data source: it is shown the same data source with another one. */
function executorOf(dataSource: DataSource, history: MigrationHistory, runner?: QueryRunner): MigrationExecutor {
  // An object that differs from the data source in two properties is one.
  const shown = Object.create(dataSource, {
    options: { value: { ...dataSource.options, migrationsTableName: history.table } },
    migrations: { value: history.migrations.map((Migration) => new Migration()) },
  }) as DataSource;
  return new MigrationExecutor(shown, runner);
}
