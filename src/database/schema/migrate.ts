import { DataSource, type DataSourceOptions, MigrationExecutor, type QueryRunner } from 'typeorm';
import { type MigrationLog, MigrationSteps } from './migration-steps.js';
import { withoutTimeouts } from '../postgres/postgres-session.js';
import { LOCK_TIMEOUT_MS, whenUnlocked } from '../sqlite/write-lock.js';
import type { MigrationHistory } from './schema.js';
import { assertKnown, type NamedMigration, type SchemaState } from './schema-state.js';

/** Any number, as long as all processes agree on it. */
const MIGRATION_LOCK = 20_261_120;

/** What leads to the schema: the migrations of the service, then those of each plugin. */
export class Migrations {
  constructor(private readonly histories: readonly MigrationHistory[]) {}

  /**
   * Runs what is missing of the schema, all of it or nothing. TypeORM takes no lock around migrations: ours makes a
   * process that starts at the same time wait, and then find nothing left to do.
   * @throws Error for a migration that fails, and for a schema of another release
   */
  async runPending(writer: DataSource, log: MigrationLog): Promise<void> {
    if ((await this.knownState(writer)).pending.length === 0) return;
    if (writer.options.type === 'postgres') await this.migratePostgres(writer.options, log);
    else await this.migrateSqlite(writer, log);
  }

  /** Asks without writing, where `DataSource.showMigrations` would make a table of its own first. */
  async stateOf(dataSource: DataSource, runner?: QueryRunner): Promise<SchemaState> {
    const state: { done: number; pending: NamedMigration[]; unknown: NamedMigration[] } = {
      ...{ done: 0, pending: [], unknown: [] },
    };
    for (const history of this.histories) {
      const executed = await executorOf(dataSource, history, runner).getExecutedMigrations();
      const [ours, run] = [namesOf(history), executed.map(({ name }) => name)];
      const { plugin } = history;
      state.done += run.length;
      state.pending.push(...without(ours, run).map((name) => ({ name, plugin })));
      state.unknown.push(...without(run, ours).map((name) => ({ name, plugin })));
    }
    return state;
  }

  private async migrateSqlite(writer: DataSource, log: MigrationLog): Promise<void> {
    const deadline = performance.now() + LOCK_TIMEOUT_MS;
    await whenUnlocked(deadline, () => writer.query('BEGIN IMMEDIATE'));
    const steps = await this.runHistories(log, writer).catch(async (error: unknown) => {
      // SQLite has rolled back by itself after some errors, such as a full disk.
      await writer.query('ROLLBACK').catch(() => undefined);
      throw error;
    });
    await writer.query('COMMIT');
    steps.finish();
  }

  private async migratePostgres(options: DataSourceOptions, log: MigrationLog): Promise<void> {
    const patient = await new DataSource(withoutTimeouts(options)).initialize();
    const runner = patient.createQueryRunner();
    try {
      await runner.query('SELECT pg_advisory_lock($1)', [MIGRATION_LOCK]);
      await runner.startTransaction();
      const steps = await this.runHistories(log, patient, runner);
      await runner.commitTransaction();
      steps.finish();
    } finally {
      // What has not been committed ends with the connection, as the lock does.
      await runner.release();
      await patient.destroy();
    }
  }

  /** Under the lock: another process may have been first. */
  private async runHistories(log: MigrationLog, dataSource: DataSource, runner?: QueryRunner): Promise<MigrationSteps> {
    const { done, pending } = await this.knownState(dataSource, runner);
    const steps = new MigrationSteps(pending.length, done === 0, log);
    for (const history of this.histories) {
      const executor = executorOf(dataSource, history, runner);
      const { plugin } = history;
      for (const migration of await executor.getPendingMigrations())
        await steps.take({ name: migration.name, plugin }, () => executor.executeMigration(migration));
    }
    return steps;
  }

  /** @throws Error for a schema of another release */
  private async knownState(dataSource: DataSource, runner?: QueryRunner): Promise<SchemaState> {
    const state = await this.stateOf(dataSource, runner);
    assertKnown(state);
    return state;
  }
}

/** As TypeORM calls them. */
function namesOf({ migrations }: MigrationHistory): string[] {
  return migrations.map((Migration) => new Migration().name ?? Migration.name);
}

function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Set(some);
  return all.filter((name) => !left.has(name));
}

/** TypeORM knows one history of a data source: it is shown the same data source with another one. */
function executorOf(dataSource: DataSource, history: MigrationHistory, runner?: QueryRunner): MigrationExecutor {
  // An object that differs from the data source in two properties is one.
  const shown = Object.create(dataSource, {
    options: { value: { ...dataSource.options, migrationsTableName: history.table } },
    migrations: { value: history.migrations.map((Migration) => new Migration()) },
  }) as DataSource;
  return new MigrationExecutor(shown, runner);
}
