import { setTimeout as delay } from 'node:timers/promises';
import { DataSource, type DataSourceOptions } from 'typeorm';
import { othersFirst } from '../../common/waiting/event-loop-turns.js';
import type { DatabaseFile } from '../sqlite/database-file.js';
import { tellFailure } from '../database-fault.js';
import { LogSync } from '../sqlite/log-sync.js';
import { Statement } from './statement.js';
import { type GivenColumns, StagedRows, type StagedTable } from '../sqlite/staged-rows.js';
import { Transaction } from '../transaction.js';

/** Where a long change is prepared without anybody noticing, so that it holds what it changes for a short time only. */
export abstract class StagingArea {
  /**
   * @param isBlank whether the tables have nothing yet that the change could touch
   * @returns `null` where a long change is in nobody's way
   */
  abstract open(tables: readonly StagedTable[], isBlank: boolean): Promise<Staging | null>;
}

/** PostgreSQL holds one zone for a long change, and a database in memory has one connection. */
export class NoStagingArea extends StagingArea {
  override open(): Promise<null> {
    return Promise.resolve(null);
  }
}

/**
 * Temporary tables of a connection of its own. SQLite keeps them in a file without a name, so that nothing is left of a
 * process that was killed.
 */
export class SqliteStagingArea extends StagingArea {
  constructor(
    private readonly options: DataSourceOptions,
    private readonly file: DatabaseFile,
  ) {
    super();
  }

  override async open(tables: readonly StagedTable[], isBlank: boolean): Promise<Staging> {
    // By now another database may have this name.
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
  // To copy a log of a million records takes seconds: that is left to the thread of `Checkpoints`.
  await connection.query('PRAGMA wal_autocheckpoint = 0');
  // Whatever fails here ends the change: nothing is ever rolled back.
  await connection.query('PRAGMA temp.journal_mode = OFF');
}

const BEGIN = new Statement('BEGIN');
const COMMIT = new Statement('COMMIT');
const UNSYNCED = new Statement('PRAGMA main.synchronous = NORMAL');
const SYNCED = new Statement('PRAGMA main.synchronous = FULL');

/** So long do others wait for a portion. */
const PORTION_MS = 100;
/** How many times as long as a part of the preparation others go first after it, where they have so much to do. */
const SHARE_OF_OTHERS = 3;
/** Other processes look for the file's write lock every few milliseconds, and would never find it free. */
const PAUSE_MS = 15;

/** Values of columns that were not known before, by table. */
type Given = Readonly<Record<string, GivenColumns>>;

/** Does a part of the work in a transaction of its own. */
export type WritePart = <T>(part: () => Promise<T>) => Promise<T>;

/** Does steps until a time is over, and leaves the event loop to others between them. Returns whether all are done. */
async function doSteps(steps: Iterator<void>, milliseconds: number): Promise<boolean> {
  const end = performance.now() + milliseconds;
  do {
    if (steps.next().done === true) return true;
    await new Promise(setImmediate);
  } while (performance.now() < end);
  return false;
}

/** A change on its way: its statements read the database as it would be, and write beside it. */
export class Staging {
  private isRevealed = false;

  constructor(
    private readonly connection: DataSource,
    /** To be used for the transaction that brings everything in. */
    readonly transaction: Transaction,
    private readonly rows: StagedRows,
    private readonly log: LogSync,
  ) {}

  /** Does a part of the change; what it reads is of one moment. Requests that come meanwhile go before the next part. */
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

  /** Ends the preparation: from here on statements read and write the database itself. */
  async reveal(): Promise<void> {
    if (!this.isRevealed) await this.rows.reveal();
    this.isRevealed = true;
  }

  /**
   * Writes what was prepared, in the transaction that is open on `transaction`; reads of others have their turns meanwhile.
   * @param given values of columns that were not known before, by table
   */
  bringIn(given: Given): Promise<void> {
    return this.log.during(async () => {
      await doSteps(this.rows.bringingIn(given), Infinity);
    });
  }

  /**
   * The same in many short transactions, between which others write: for rows that nobody sees yet. They need not be on the disk
   * before the last transaction of all, which brings them there.
   * @param write does a part in a transaction of its own on `transaction`
   */
  async bringInPortions(given: Given, write: WritePart): Promise<void> {
    const steps = this.rows.bringingIn(given);
    await UNSYNCED.run(this.transaction, []);
    await this.log.during(async () => {
      while (!(await write(() => doSteps(steps, PORTION_MS)))) await delay(PAUSE_MS);
    });
    await SYNCED.run(this.transaction, []);
  }

  close(): Promise<void> {
    return this.connection.destroy();
  }
}
