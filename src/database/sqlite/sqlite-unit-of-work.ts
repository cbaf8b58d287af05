import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../../common/service-error.js';
import { Coalescer } from '../../common/waiting/coalescer.js';
import type { Checkpoints } from './checkpoints.js';
import {
  measureCommit,
  measureGroup,
  type Batch,
  type BatchScope,
  gathered,
  type Job,
  type Outcome,
  outcomesOf,
  queued,
  runAll,
  settleAll,
  takeGroup,
  UnitOfWork,
  type WorkScope,
} from '../unit-of-work.js';
import type { DatabaseFile } from './database-file.js';
import { isRefusingChanges, recordWritten, tellFailure } from '../database-failure.js';
import type { Explain } from '../schema-watch.js';
import { Statement } from '../statements/statement.js';
import { Transaction } from '../transaction.js';
import { LOCK_TIMEOUT_MS, whenUnlocked } from './write-lock.js';

const BEGIN = new Statement('BEGIN IMMEDIATE');
const COMMIT = new Statement('COMMIT');
const ROLLBACK = new Statement('ROLLBACK');
const CHANGE_COUNT = new Statement<{ changes: number }>('SELECT total_changes() AS changes');

/** A slower group means a slow disk. */
const SLOW_GROUP_MS = 50;
/** The pause after a slow group, as a share of its time. */
const SHARE_OF_OTHERS = 1 / 10;
const LONGEST_PAUSE_MS = 300;

/** Group commit on SQLite's one writer: TypeORM shares a single connection among all callers. */
export class SqliteUnitOfWork extends UnitOfWork {
  private readonly groups = new Coalescer<Job>((jobs) => this.commitGroup(jobs), {
    gather: gathered,
    take: (queue) => takeGroup(queue, () => true),
  });

  constructor(
    private readonly writer: DataSource,
    /** `null` for a database in memory. */
    private readonly file: DatabaseFile | null,
    private readonly checkpoints: Checkpoints | null,
    private readonly lockTimeoutMs = LOCK_TIMEOUT_MS,
    private readonly explain: Explain = tellFailure,
  ) {
    super();
  }

  override run<T>(work: (transaction: Transaction) => Promise<T>, { isLong = false, on }: WorkScope = {}): Promise<T> {
    return queued(this.lockTimeoutMs, (waiting) =>
      this.groups.add({ ...waiting, batch: null, work, isLong, on, size: 1, takesZone: false, tenantId: '' }),
    );
  }

  override runInBatch<Request, Result>(
    batch: Batch<Request, Result>,
    request: Request,
    { size }: BatchScope,
  ): Promise<Result> {
    return queued(this.lockTimeoutMs, (waiting) =>
      this.groups.add({ ...waiting, batch: batch, request, isLong: false, size, takesZone: true, tenantId: '' }),
    );
  }

  override drained(): Promise<void> {
    return this.groups.drained();
  }

  override get waiting(): number {
    return this.groups.waitingCount;
  }

  private async commitGroup(jobs: readonly Job[]): Promise<void> {
    const tx = new Transaction(this.writer.createQueryRunner().manager);
    const begun = performance.now();
    measureGroup(jobs);
    settleAll(jobs, await outcomesOf(jobs, (group) => this.commit(connectionFor(group, tx), group), this.explain));
    const took = performance.now() - begun;
    if (jobs[0]?.isLong) this.excuse(took);
    else await pauseAfter(took);
    await this.checkpoints?.betweenCommits(tx);
  }

  /** The file's lock did not cause this delay. */
  private excuse(milliseconds: number): void {
    for (const job of this.groups.items) job.deadline += milliseconds;
  }

  private async commit(tx: Transaction, jobs: readonly Job[]): Promise<Outcome[]> {
    try {
      const deadline = Math.min(...jobs.map((job) => job.deadline));
      await whenUnlocked(deadline, () => BEGIN.run(tx, []));
      const before = isRefusingChanges() ? await changeCount(tx) : undefined;
      const outcomes = await runAll(tx, jobs, (work) => runOne(tx, work));
      const hasWritten = isRefusingChanges() && (await changeCount(tx)) !== before;
      this.file?.assertInPlace();
      await measureCommit(() => COMMIT.run(tx, []));
      if (hasWritten) void recordWritten(this.file?.path ?? null);
      return outcomes;
    } catch (error) {
      await rollBackQuietly(tx);
      throw error;
    }
  }
}

/** A long change may bring its own connection; it is alone in its group. */
function connectionFor([job]: readonly Job[], tx: Transaction): Transaction {
  return job?.batch === null ? (job.on ?? tx) : tx;
}

/** A commit blocks the event loop until the disk has synced it. After a slow one, reads go first. */
async function pauseAfter(took: number): Promise<void> {
  if (took > SLOW_GROUP_MS) await delay(Math.min(LONGEST_PAUSE_MS, took * SHARE_OF_OTHERS));
}

/** @throws the error of `work`, unless it is a refusal before the first write */
async function runOne(tx: Transaction, work: (tx: Transaction) => Promise<unknown>): Promise<Outcome> {
  const before = await changeCount(tx);
  try {
    return { value: await work(tx) };
  } catch (error) {
    if (!(error instanceof ServiceError) || (await changeCount(tx)) !== before) throw error;
    return { error };
  }
}

async function changeCount(tx: Transaction): Promise<number | undefined> {
  return (await CHANGE_COUNT.first(tx, []))?.changes;
}

/** A failed COMMIT or a full disk may have ended the transaction already. */
async function rollBackQuietly(tx: Transaction): Promise<void> {
  try {
    await ROLLBACK.run(tx, []);
  } catch {
    return;
  }
}
