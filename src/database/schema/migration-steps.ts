import { describeMigration, type NamedMigration } from './schema-state.js';

/** Writes lines for the operator, such as a Logger. */
export interface MigrationLog {
  /** That a schema was made where there was none. */
  log(line: string): void;
  /** What is changed of one that was there, on which releases before may be at work. */
  warn(line: string): void;
}

/** The migrations that one run has to do: says each of those that change a schema, and how long it took. */
export class MigrationSteps {
  private taken = 0;
  private committed = 0;
  private readonly begun = performance.now();

  /** @param isNew whether there was no schema: that its migrations make one is of no interest one by one */
  constructor(
    private readonly count: number,
    private readonly isNew: boolean,
    private readonly log: MigrationLog,
  ) {
    if (!isNew && count > 0) log.warn(`${count === 1 ? '1 migration is' : `${count} migrations are`} missing`);
  }

  /**
   * @param run returns whether there was anything left to do
   * @throws Error that names the migration
   */
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

  /** What has been taken is there for good. */
  commit(): void {
    this.committed = this.taken;
  }

  /** To be called when all of them are committed. */
  finish(): void {
    if (this.taken === 0) return;
    if (this.isNew) this.log.log(`the schema was made: ${this.taken} migrations, ${since(this.begun)}`);
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
