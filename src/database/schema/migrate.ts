import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { kindOf } from './migration-kind.js';
import { inMigrationSession, type MigrationSession } from './migration-session.js';
import { type MigrationLog, MigrationSteps } from './migration-steps.js';
import type { MigrationClass, MigrationHistory } from './schema.js';
import { assertKnown, type NamedMigration, type SchemaState } from './schema-state.js';

/** What is run of the migrations that a database has not had. */
export type MigrationExtent = 'needed' | 'contractions too';

/** What leads to the schema: the migrations of the service, then those of each plugin. */
export class Migrations {
  constructor(private readonly histories: readonly MigrationHistory[]) {}

  /**
   * Runs what is missing. A new schema is made whole or not at all. Of one that is there, expansions and contractions are
   * committed one by one, since requests are served meanwhile; others that follow each other are one piece.
   * @throws Error for a migration that fails, and for a schema of another release
   */
  async run(writer: DataSource, extent: MigrationExtent, log: MigrationLog): Promise<void> {
    const { pending, left } = await this.knownState(writer);
    if (pending.length === 0 && (extent === 'needed' || left.length === 0)) return;
    await inMigrationSession(writer, (session) => this.runIn(session, extent, log));
  }

  /** Asks without writing, where `DataSource.showMigrations` would make a table of its own first. */
  async stateOf(dataSource: DataSource, runner?: QueryRunner): Promise<SchemaState> {
    const states: SchemaState[] = [];
    for (const history of this.histories) {
      const executed = await executorOf(dataSource, history, history.migrations, runner).getExecutedMigrations();
      states.push(
        stateIn(
          history,
          executed.map(({ name }) => name),
        ),
      );
    }
    const all = (pick: (state: SchemaState) => readonly NamedMigration[]) => states.flatMap(pick);
    return {
      done: states.reduce((sum, { done }) => sum + done, 0),
      pending: all(({ pending }) => pending),
      left: all(({ left }) => left),
      ahead: all(({ ahead }) => ahead),
      unknown: all(({ unknown }) => unknown),
    };
  }

  /** Another process may have been first. */
  private async runIn(session: MigrationSession, extent: MigrationExtent, log: MigrationLog): Promise<void> {
    const { done } = await this.knownState(session.dataSource, session.runner);
    const missing = await this.missing(session, extent);
    const steps = new MigrationSteps(missing.length, done === 0, log);
    for (const piece of piecesOf(missing, done === 0)) await runPiece(session, piece, steps);
    steps.finish();
  }

  private async missing(session: MigrationSession, extent: MigrationExtent): Promise<MissingMigration[]> {
    const needed = await this.missingOf(session, ({ migrations }) => migrations);
    if (extent === 'needed') return needed;
    return [...needed, ...(await this.missingOf(session, ({ contractions }) => contractions))];
  }

  private async missingOf(
    session: MigrationSession,
    pick: (history: MigrationHistory) => readonly MigrationClass[],
  ): Promise<MissingMigration[]> {
    const missing: MissingMigration[] = [];
    for (const history of this.histories) {
      const executor = executorOf(session.dataSource, history, pick(history), session.runner);
      for (const migration of await executor.getPendingMigrations())
        missing.push({ migration, executor, name: migration.name, plugin: history.plugin });
    }
    return missing;
  }

  /** @throws Error for a schema of another release */
  private async knownState(dataSource: DataSource, runner?: QueryRunner): Promise<SchemaState> {
    const state = await this.stateOf(dataSource, runner);
    assertKnown(state);
    return state;
  }
}

interface MissingMigration extends NamedMigration {
  readonly migration: Migration;
  readonly executor: MigrationExecutor;
}

type Piece = readonly [MissingMigration, ...MissingMigration[]];

/** What is committed at once. */
function piecesOf(missing: readonly MissingMigration[], isNew: boolean): Piece[] {
  const pieces: [MissingMigration, ...MissingMigration[]][] = [];
  const isAlone = ({ name }: MissingMigration): boolean => !isNew && kindOf(name) !== 'change';
  for (const migration of missing) {
    const last = pieces.at(-1);
    if (last === undefined || isAlone(migration) || isAlone(last[0])) pieces.push([migration]);
    else last.push(migration);
  }
  return pieces;
}

async function runPiece(session: MigrationSession, piece: Piece, steps: MigrationSteps): Promise<void> {
  const [first] = piece;
  if (piece.length === 1 && kindOf(first.name) !== 'change') await runBesideRequests(session, first, steps);
  else
    await session.transaction(async () => {
      for (const migration of piece) await steps.take(migration, () => runOnce(migration));
    });
  steps.commit();
}

async function runBesideRequests(
  session: MigrationSession,
  missing: MissingMigration,
  steps: MigrationSteps,
): Promise<void> {
  // What cannot be done in one transaction on PostgreSQL says so, as TypeORM has it.
  const isWhole = session.runner === undefined || missing.migration.instance?.transaction !== false;
  const run = (): Promise<boolean> => runOnce(missing);
  await steps.take(missing, isWhole ? () => session.transactionBesideRequests(run) : run);
}

/** Whether there was anything left to do. */
async function runOnce({ migration, executor }: MissingMigration): Promise<boolean> {
  const executed = await executor.getExecutedMigrations();
  if (executed.some(({ name }) => name === migration.name)) return false;
  await executor.executeMigration(migration);
  return true;
}

function stateIn({ plugin, migrations, contractions }: MigrationHistory, run: readonly string[]): SchemaState {
  const [needed, left] = [namesOf(migrations), namesOf(contractions)];
  const foreign = without(run, [...needed, ...left]);
  const named = (names: readonly string[]): NamedMigration[] => names.map((name) => ({ name, plugin }));
  const isExpansion = (name: string): boolean => kindOf(name) === 'expansion';
  return {
    done: run.length,
    pending: named(without(needed, run)),
    left: named(without(left, run)),
    ahead: named(foreign.filter(isExpansion)),
    unknown: named(foreign.filter((name) => !isExpansion(name))),
  };
}

/** As TypeORM calls them. */
function namesOf(migrations: readonly MigrationClass[]): string[] {
  return migrations.map((Migration) => new Migration().name ?? Migration.name);
}

function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Set(some);
  return all.filter((name) => !left.has(name));
}

/** TypeORM knows one history of a data source: it is shown the same data source with another one. */
function executorOf(
  dataSource: DataSource,
  { table }: MigrationHistory,
  migrations: readonly MigrationClass[],
  runner?: QueryRunner,
): MigrationExecutor {
  // An object that differs from the data source in two properties is one.
  const shown = Object.create(dataSource, {
    options: { value: { ...dataSource.options, migrationsTableName: table } },
    migrations: { value: migrations.map((Migration) => new Migration()) },
  }) as DataSource;
  return new MigrationExecutor(shown, runner);
}
