import { setTimeout as delay } from 'node:timers/promises';
import { isHeldByOthers, unavailable } from './database-failure.js';
import { hasRoom } from './database-fault.js';
import type { Migrations } from './schema/migrate.js';
import { entityManagerOf, type Transaction } from './transaction.js';
import { schemaRefusal } from './schema/schema-state.js';
import { recordFit } from './schema-watch.js';
import type { Reads } from './reads.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Whether the database can do its work at this moment. Asked again and again, so it must cost little. */
export abstract class DatabaseProbe {
  /** @throws Error that tells the operator why reads or changes would be refused */
  abstract assertReady(): Promise<void>;
}

/** Takes the way that every request takes: a read, then a change that is committed. */
export class SqliteProbe extends DatabaseProbe {
  /** @param path the file, or `null` for a database in memory */
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly migrations: Migrations,
    private readonly path: string | null,
  ) {
    super();
  }

  override async assertReady(): Promise<void> {
    if (this.path !== null) await assertFreeSpace(this.path);
    await this.reads.run((tx) => entityManagerOf(tx).query('SELECT name FROM sqlite_master LIMIT 1'));
    await this.unitOfWork.run(async (tx) => {
      await assertUpToDate(tx, this.migrations);
      // Rewrites the first page with what it says already: nothing smaller shows that a commit reaches the disk.
      await entityManagerOf(tx).query('PRAGMA user_version = 0');
    });
  }
}

async function assertFreeSpace(path: string): Promise<void> {
  if (!(await hasRoom(path))) throw new Error(`the disk of ${path} is full`);
}

/** How long a server may be silent, in milliseconds. By then it refuses changes too. */
const ANSWER_TIMEOUT_MS = 10_000;

/** What every change of records writes to. */
const TABLES = 'zones, record_sets, records, journal';
/** How long a lock on these tables may last that keeps everybody from writing, in milliseconds. */
const LOCKED_FOR = 2000;

/** The same way on PostgreSQL, as far as it goes without writing, and behind no other work of this process. */
export class PostgresProbe extends DatabaseProbe {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly migrations: Migrations,
  ) {
    super();
  }

  override async assertReady(): Promise<void> {
    await Promise.race([this.ask(), timeOut()]);
  }

  private async ask(): Promise<void> {
    await this.reads.run((tx) => assertUpToDate(tx, this.migrations));
    // Writes nothing, and is refused by a standby and by a server that is read-only.
    await this.unitOfWork.run(
      async (tx) => {
        await entityManagerOf(tx).query('SELECT 1 FROM migrations WHERE false FOR UPDATE');
        await assertUnlocked(tx);
      },
      { queue: 'readiness' },
    );
  }
}

/** The lock that a change takes as well, which rows that somebody holds do not stand in the way of. */
async function assertUnlocked(tx: Transaction): Promise<void> {
  await entityManagerOf(tx).query(`SET LOCAL lock_timeout = ${LOCKED_FOR}`);
  try {
    await entityManagerOf(tx).query(`LOCK TABLE ${TABLES} IN ROW EXCLUSIVE MODE`);
  } catch (error) {
    if (!isHeldByOthers(error)) throw error;
    // The log shows the cause of an error instead of its wrapping.
    const cause = new Error(
      `somebody has locked one of the tables ${TABLES} for more than ${LOCKED_FOR / 1000} seconds`,
    );
    throw unavailable(cause);
  }
}

async function timeOut(): Promise<never> {
  await delay(ANSWER_TIMEOUT_MS, undefined, { ref: false });
  throw new Error(`the server has been silent for ${ANSWER_TIMEOUT_MS / 1000} seconds`);
}

/** Another release may have changed it since it was opened. */
async function assertUpToDate(tx: Transaction, migrations: Migrations): Promise<void> {
  const { dataSource, queryRunner } = entityManagerOf(tx);
  const refusal = schemaRefusal(await migrations.stateOf(dataSource, queryRunner));
  if (refusal !== null) throw new Error(refusal);
  recordFit();
}
