import { type DataSource, type Migration, MigrationExecutor, type QueryRunner } from 'typeorm';
import { kindOf, assertKnown, type NamedMigration, type SchemaState, describeMigration } from './schema-state.js';
import { inMigrationSession, type MigrationSession } from './migration-session.js';
import type { MigrationClass, MigrationHistory } from './schema.js';
import { adoptBaseline, isPreRelease } from './pre-release.js';

export type MigrationExtent = 'needed' | 'contractions too';

export class Migrations {
  constructor(private readonly histories: readonly MigrationHistory[]) {}

  /**
   * Creates a new schema in one transaction. On an existing one, commits expansions and contractions one by one, since
   * requests are served meanwhile. @throws Error for a failed migration, and for a schema of another release
   */
  async run(writer: DataSource, extent: MigrationExtent, log: MigrationLog): Promise<void> {
    const { pending, left } = await this.knownState(writer);
    if (pending.length === 0 && (extent === 'needed' || left.length === 0)) return;
    await inMigrationSession(writer, (session) => this.runIn(session, extent, log));
  }

  /** Does not write, whereas `DataSource.showMigrations` would create a table. */
  async stateOf(dataSource: DataSource, runner?: QueryRunner): Promise<SchemaState> {
    const states: SchemaState[] = [];
    for (const history of this.histories) {
      const executed = await executorOf(dataSource, history, history.migrations, runner).getExecutedMigrations();
      const names = executed.map(({ name }) => name);
      states.push(stateIn(history, names));
    }
    const all = (pick: (state: SchemaState) => readonly NamedMigration[]) => states.flatMap(pick);
    return {
      done: states.reduce((sum, { done }) => sum + done, 0),
      pending: all(({ pending }) => pending),
      left: all(({ left }) => left),
      ahead: all(({ ahead }) => ahead),
      unknown: all(({ unknown }) => unknown),
      preRelease: states.flatMap(({ preRelease }) => preRelease),
    };
  }

  /** Checks again, since another process may have been first. */
  private async runIn(session: MigrationSession, extent: MigrationExtent, log: MigrationLog): Promise<void> {
    const { done, preRelease } = await this.knownState(session.dataSource, session.runner);
    if (preRelease.length > 0) {
      await adoptBaseline(session);
      log.warn(`the schema is that of 1.0.0: recorded the baseline in place of ${preRelease.length} migrations`);
    }
    // No earlier release works on a new schema.
    const missing = await this.missing(session, done === 0 ? 'contractions too' : extent);
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
  // TypeORM's mark of a migration that needs several transactions on PostgreSQL.
  const isWhole = session.runner === undefined || missing.migration.instance?.transaction !== false;
  const run = (): Promise<boolean> => runOnce(missing);
  await steps.take(missing, isWhole ? () => session.transactionBesideRequests(run) : run);
}

async function runOnce({ migration, executor }: MissingMigration): Promise<boolean> {
  const executed = await executor.getExecutedMigrations();
  if (executed.some(({ name }) => name === migration.name)) return false;
  await executor.executeMigration(migration);
  return true;
}

function stateIn({ plugin, migrations, contractions }: MigrationHistory, run: readonly string[]): SchemaState {
  const [needed, left] = [namesOf(migrations), namesOf(contractions)];
  const preRelease = plugin === null ? run.filter(isPreRelease) : [];
  const foreign = without(run, [...needed, ...left, ...preRelease]);
  const named = (names: readonly string[]): NamedMigration[] => names.map((name) => ({ name, plugin }));
  const isExpansion = (name: string): boolean => kindOf(name) === 'expansion';
  return {
    done: run.length,
    pending: named(without(needed, run)),
    left: named(without(left, run)),
    ahead: named(foreign.filter(isExpansion)),
    unknown: named(foreign.filter((name) => !isExpansion(name))),
    preRelease,
  };
}

function namesOf(migrations: readonly MigrationClass[]): string[] {
  return migrations.map((Migration) => new Migration().name ?? Migration.name);
}

function without(all: readonly string[], some: readonly string[]): string[] {
  const left = new Set(some);
  return all.filter((name) => !left.has(name));
}

/** TypeORM supports one history per data source. */
function executorOf(
  dataSource: DataSource,
  { table }: MigrationHistory,
  migrations: readonly MigrationClass[],
  runner?: QueryRunner,
): MigrationExecutor {
  const shown = Object.create(dataSource, {
    options: { value: { ...dataSource.options, migrationsTableName: table } },
    migrations: { value: migrations.map((Migration) => new Migration()) },
  }) as DataSource;
  return new MigrationExecutor(shown, runner);
}

export interface MigrationLog {
  /** For a new schema. */
  log(line: string): void;
  /** For an existing schema, on which earlier releases may be running. */
  warn(line: string): void;
}

/** Reports the migrations of one run and their durations. */
class MigrationSteps {
  private taken = 0;
  private committed = 0;
  private readonly begun = performance.now();

  /** @param isNew a new schema: its migrations are not reported one by one */
  constructor(
    private readonly count: number,
    private readonly isNew: boolean,
    private readonly log: MigrationLog,
  ) {
    if (!isNew && count > 0) log.warn(`${count === 1 ? '1 migration is' : `${count} migrations are`} missing`);
  }

  /** `run` returns whether the migration was still pending. @throws Error that names it */
  async take(migration: NamedMigration, run: () => Promise<boolean>): Promise<void> {
    const begun = performance.now();
    const name = `migration ${this.taken + 1} of ${this.count}, ${describeMigration(migration)}`;
    const wasMissing = await run().catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${name}, failed${this.leftBehind()}: ${reason}`, { cause: error });
    });
    if (!wasMissing) return;
    this.taken += 1;
    if (!this.isNew) this.log.warn(`${name}: ${since(begun)}`);
  }

  commit(): void {
    this.committed = this.taken;
  }

  finish(): void {
    if (this.taken === 0) return;
    if (this.isNew) this.log.log(`created the schema in ${since(this.begun)}`);
    else this.log.warn('the migrations are committed');
  }

  private leftBehind(): string {
    if (this.committed === 0) return ' and nothing was changed';
    const before = this.committed === 1 ? 'the one before it stays' : `the ${this.committed} before it stay`;
    return `; ${before}, and "zonewright migrate" goes on from there`;
  }
}

function since(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(2)} s`;
}
