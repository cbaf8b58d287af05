import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { othersFirst } from '../../common/waiting/event-loop-turns.js';
import { type DatabaseFile, LogSync } from '../sqlite/database-file.js';
import { tellFailure } from '../database-failure.js';
import { Statement } from './statement.js';
import { type GivenColumns, StagedRows, type StagedTable } from '../sqlite/staged-rows.js';
import { Transaction } from '../transaction.js';

/** Prepares a long change without locks, so that it holds locks only briefly. */
export abstract class StagingArea {
  /** Returns `null` if long changes block no other work. @param isBlank the change touches no existing row */
  abstract open(tables: readonly StagedTable[], isBlank: boolean): Promise<Staging | null>;
}

/** PostgreSQL locks one zone for a long change, and a database in memory has one connection. */
export class NoStagingArea extends StagingArea {
  override open(): Promise<null> {
    return Promise.resolve(null);
  }
}

/** SQLite keeps temporary tables in a nameless file, so that a killed process leaves nothing behind. */
export class SqliteStagingArea extends StagingArea {
  constructor(
    private readonly options: DataSourceOptions,
    private readonly file: DatabaseFile,
  ) {
    super();
  }

  override async open(tables: readonly StagedTable[], isBlank: boolean): Promise<Staging> {
    // Another database may have this name by now.
    this.file.assertInPlace();
    const connection = new DataSource({ ...this.options, migrations: [] });
    try {
      await connection.initialize();
      await prepare(connection);
      const tx = new Transaction(connection.createQueryRunner().manager);
      const rows = await StagedRows.over(tx, tables, isBlank);
      return new Staging(connection, tx, rows, new LogSync(this.file));
    } catch (error) {
      if (connection.isInitialized) await connection.destroy();
      throw tellFailure(error);
    }
  }
}

async function prepare(connection: DataSource): Promise<void> {
  await connection.query('PRAGMA busy_timeout = 0');
  await connection.query('PRAGMA temp_store = FILE');
  // The thread of `Checkpoints` copies the log, which may take seconds.
  await connection.query('PRAGMA wal_autocheckpoint = 0');
  // Any failure ends the change, so no rollback is needed.
  await connection.query('PRAGMA temp.journal_mode = OFF');
}

const BEGIN = new Statement('BEGIN');
const COMMIT = new Statement('COMMIT');
const UNSYNCED = new Statement('PRAGMA main.synchronous = NORMAL');
const SYNCED = new Statement('PRAGMA main.synchronous = FULL');

/** The longest wait of other changes. */
const PORTION_MS = 100;
/** Other work goes first, for up to this multiple of the last part's duration. */
const SHARE_OF_OTHERS = 3;
/** Other processes poll the file's write lock every few milliseconds. */
const PAUSE_MS = 15;

type Given = Readonly<Record<string, GivenColumns>>;

export type WritePart = <T>(part: () => Promise<T>) => Promise<T>;

/** Runs steps until the time limit, and yields between them. Returns whether all are done. */
async function doSteps(steps: Iterator<void>, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  do {
    if (steps.next().done === true) return true;
    await new Promise(setImmediate);
  } while (performance.now() < end);
  return false;
}

/** Its statements read the database with the changes applied, and write to temporary tables. */
export class Staging {
  private isRevealed = false;

  constructor(
    private readonly connection: DataSource,
    /** For the transaction that applies the change. */
    readonly transaction: Transaction,
    private readonly rows: StagedRows,
    private readonly log: LogSync,
  ) {}

  /** Runs on one snapshot. Waiting requests go before the next part. */
  async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const begun = performance.now();
    const result = await this.runAtOnce(work);
    await othersFirst((performance.now() - begun) * SHARE_OF_OTHERS);
    return result;
  }

  private async runAtOnce<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      await BEGIN.run(this.transaction, []);
      const result = await work(this.transaction);
      await COMMIT.run(this.transaction, []);
      return result;
    } catch (error) {
      throw tellFailure(error);
    }
  }

  /** From here on, statements use the database itself. */
  async reveal(): Promise<void> {
    if (!this.isRevealed) await this.rows.reveal();
    this.isRevealed = true;
  }

  /** Applies the change in the open transaction, in turn with reads. @param given late column values, by table */
  bringIn(given: Given): Promise<void> {
    return this.log.during(async () => {
      await doSteps(this.rows.bringingIn(given), Infinity);
    });
  }

  /**
   * For rows that are not visible yet: other changes run between the short transactions. Rows reach the disk with the
   * last one.
   * @param write runs a part in its own transaction on `transaction`
   * @param from the scope of stored rows to copy
   */
  async bringInPortions(given: Given, write: WritePart, from: string | null = null): Promise<void> {
    const steps = from === null ? this.rows.bringingIn(given) : this.rows.writingAnew(given, from);
    await UNSYNCED.run(this.transaction, []);
    await this.log.during(async () => {
      while (!(await write(() => doSteps(steps, PORTION_MS)))) await delay(PAUSE_MS);
    });
    await SYNCED.run(this.transaction, []);
  }

  /** Rows that the change writes or deletes, after `reveal`. */
  get size(): number {
    return this.rows.size;
  }

  close(): Promise<void> {
    return this.connection.destroy();
  }
}
