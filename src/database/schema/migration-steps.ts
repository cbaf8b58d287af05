import { describeMigration, type NamedMigration } from './schema-state.js';

/** Writes lines for the operator, such as a Logger. */
export interface MigrationLog {
  /** That a schema was made where there was none. */
  log(line: string): void;
  /** What is changed of one that was there: no older release can work on it from then on. */
  warn(line: string): void;
}

/** The migrations that one run has to do: says each of those that change a schema, and how long it took. */
export class MigrationSteps {
  private taken = 0;
  private readonly begun = performance.now();

  /** @param isNew whether there was no schema: that its migrations make one is of no interest one by one */
  constructor(
    private readonly count: number,
    private readonly isNew: boolean,
    private readonly log: MigrationLog,
  ) {
    if (!isNew && count > 0) log.warn(`${count === 1 ? '1 migration is' : `${count} migrations are`} missing`);
  }

  /** @throws Error that names the migration */
  async take(migration: NamedMigration, run: () => Promise<unknown>): Promise<void> {
    const begun = performance.now();
    this.taken += 1;
    const name = `migration ${this.taken} of ${this.count}, ${describeMigration(migration)}`;
    try {
      await run();
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      throw new Error(`${name}, failed and nothing was changed: ${reason}`, { cause: error });
    }
    if (!this.isNew) this.log.warn(`${name}: ${since(begun)}`);
  }

  /** To be called when all of them are committed. */
  finish(): void {
    if (this.count === 0) return;
    if (this.isNew) this.log.log(`the schema was made: ${this.count} migrations, ${since(this.begun)}`);
    else this.log.warn('the migrations are committed');
  }
}

function since(begun: number): string {
  return `${((performance.now() - begun) / 1000).toFixed(2)} s`;
}
