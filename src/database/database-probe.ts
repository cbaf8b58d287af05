import { setTimeout as delay } from 'node:timers/promises';
import { isHeldByOthers, unavailable, hasRoom } from './database-failure.js';
import type { Migrations } from './schema/migrate.js';
import { entityManagerOf, type Transaction } from './transaction.js';
import { schemaRefusal } from './schema/schema-state.js';
import { recordFit } from './schema-watch.js';
import type { Reads } from './reads.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Runs often, so it must cost little. */
export abstract class DatabaseProbe {
  /** @throws Error for the operator */
  abstract assertReady(): Promise<void>;
}

/** Reads, then commits a change, as requests do. */
export class SqliteProbe extends DatabaseProbe {
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
      // Rewrites the first page unchanged. Nothing smaller shows that a commit reaches the disk.
      await entityManagerOf(tx).query('PRAGMA user_version = 0');
    });
  }
}

async function assertFreeSpace(path: string): Promise<void> {
  if (!(await hasRoom(path))) throw new Error(`the disk of ${path} is full`);
}

/** In milliseconds. By then the server refuses changes too. */
const ANSWER_TIMEOUT_MS = 10_000;

/** Written by every change of records. */
const TABLES = 'zones, record_sets, records, journal';
/** Milliseconds that a table lock may block all writers. */
const LOCKED_FOR = 2000;

/** Writes nothing, and does not wait for other work of this process. */
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
    // A standby or read-only server refuses it.
    await this.unitOfWork.run(
      async (tx) => {
        await entityManagerOf(tx).query('SELECT 1 FROM migrations WHERE false FOR UPDATE');
        await assertUnlocked(tx);
      },
      { queue: 'readiness' },
    );
  }
}

/** Row locks do not block it. */
async function assertUnlocked(tx: Transaction): Promise<void> {
  await entityManagerOf(tx).query(`SET LOCAL lock_timeout = ${LOCKED_FOR}`);
  try {
    await entityManagerOf(tx).query(`LOCK TABLE ${TABLES} IN ROW EXCLUSIVE MODE`);
  } catch (error) {
    if (!isHeldByOthers(error)) throw error;
    // Logs show the cause only.
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

/** Another release may have migrated it after it was opened. */
async function assertUpToDate(tx: Transaction, migrations: Migrations): Promise<void> {
  const { dataSource, queryRunner } = entityManagerOf(tx);
  const refusal = schemaRefusal(await migrations.stateOf(dataSource, queryRunner));
  if (refusal !== null) throw new Error(refusal);
  recordFit();
}
