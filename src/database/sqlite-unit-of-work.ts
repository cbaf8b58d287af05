import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../common/service-error.js';
import type { Checkpoints } from './checkpoints.js';
import type { DatabaseFile } from './database-file.js';
import { isBusy, translateFailure } from './database-failure.js';
import { Statement } from './statement.js';
import { type Job, type Outcome, queued, settleAll, takeGroup, UnitOfWork, type WorkScope } from './unit-of-work.js';
import { Transaction } from './transaction.js';

const BEGIN = new Statement('BEGIN IMMEDIATE');
const COMMIT = new Statement('COMMIT');
const ROLLBACK = new Statement('ROLLBACK');
/** Rows that the connection has changed since it was opened. */
const CHANGE_COUNT = new Statement<{ changes: number }>('SELECT total_changes() AS changes');
const BEGIN_JOB = new Statement('SAVEPOINT job');
const END_JOB = new Statement('RELEASE job');
const UNDO_JOB = new Statement('ROLLBACK TO job');

/** How many changes share one commit at most; more only makes the first of them wait. */
const GROUP_SIZE = 128;
/** How long a change waits at most while another process holds the file's write lock, in milliseconds. */
const LOCK_TIMEOUT_MS = 5000;
const LOCK_RETRY_MS = 10;
/** A group that took longer is one of a slow disk, in milliseconds. */
const SLOW_GROUP_MS = 50;
/** What others then have of the event loop: so much of the time that the group took, and so long at most. */
const SHARE_OF_OTHERS = 1 / 10;
const LONGEST_PAUSE_MS = 300;

/**
 * Group commit on SQLite's one writer. TypeORM's SQLite driver shares a single connection among all who ask, so this
 * queue is the only one that ever uses the writer's.
 */
export class SqliteUnitOfWork extends UnitOfWork {
  private readonly queue: Job[] = [];
  private draining: Promise<void> | null = null;

  constructor(
    private readonly writer: DataSource,
    /** `null` for a database in memory. */
    private readonly file: DatabaseFile | null,
    private readonly checkpoints: Checkpoints | null,
    private readonly lockTimeoutMs = LOCK_TIMEOUT_MS,
  ) {
    super();
  }

  override run<T>(work: (transaction: Transaction) => Promise<T>, scope: WorkScope = {}): Promise<T> {
    return queued(work, scope, this.lockTimeoutMs, (job) => {
      this.queue.push(job);
      this.draining ??= this.drain();
    });
  }

  override async drained(): Promise<void> {
    while (this.draining !== null) await this.draining;
  }

  private async drain(): Promise<void> {
    const tx = new Transaction(this.writer.createQueryRunner().manager);
    while (this.queue.length > 0) {
      await this.gathered();
      const begun = performance.now();
      await this.commitGroup(tx, takeGroup(this.queue, GROUP_SIZE));
      await pauseAfter(performance.now() - begun);
      await this.checkpoints?.betweenCommits(tx);
    }
    this.draining = null;
  }

  /** Every request that the event loop has at hand joins the group: it is waited for as long as each turn brings one. */
  private async gathered(): Promise<void> {
    let known;
    do {
      known = this.queue.length;
      await new Promise(setImmediate);
    } while (this.queue.length > known && this.queue.length < GROUP_SIZE);
  }

  private async commitGroup(tx: Transaction, jobs: readonly Job[]): Promise<void> {
    const outcomes =
      (await this.commitTogether(tx, jobs, runWithoutSavepoints)) ??
      (await this.commitTogether(tx, jobs, runWithSavepoints));
    settleAll(jobs, outcomes);
  }

  /** What became of each job, or what `runAll` gives when they must be run in another way: nothing is left of them then. */
  private async commitTogether<Result extends Outcome[] | null>(
    tx: Transaction,
    jobs: readonly Job[],
    runAll: (tx: Transaction, jobs: readonly Job[]) => Promise<Result>,
  ): Promise<Result | Outcome[]> {
    try {
      await beginWhenFree(tx, Math.min(...jobs.map(({ deadline }) => deadline)));
      const outcomes = await runAll(tx, jobs);
      this.file?.assertInPlace();
      await (outcomes === null ? ROLLBACK : COMMIT).run(tx, []);
      return outcomes;
    } catch (error) {
      await rollBackQuietly(tx);
      return jobs.map(() => ({ error: translateFailure(error) }));
    }
  }
}

/**
 * A commit stops the event loop until the disk has synced it. Behind a slow one reads come in before the next begins,
 * which would otherwise take the loop again at once.
 */
async function pauseAfter(took: number): Promise<void> {
  if (took > SLOW_GROUP_MS) await delay(Math.min(LONGEST_PAUSE_MS, took * SHARE_OF_OTHERS));
}

/**
 * Runs the jobs of a group without savepoints: under a savepoint SQLite puts aside every page before a job changes it, which is half
 * of what a record costs. Returns `null` once one of them would have to be undone alone.
 */
async function runWithoutSavepoints(tx: Transaction, jobs: readonly Job[]): Promise<Outcome[] | null> {
  const outcomes: Outcome[] = [];
  for (const job of jobs) {
    const before = await changeCount(tx);
    try {
      outcomes.push({ value: await job.work(tx) });
    } catch (error) {
      // With one job its undoing is the transaction's; else what is no refusal may have ended the transaction.
      if (jobs.length === 1) throw error;
      if (!(error instanceof ServiceError) || (await changeCount(tx)) !== before) return null;
      outcomes.push({ error });
    }
  }
  return outcomes;
}

async function changeCount(tx: Transaction): Promise<number | undefined> {
  return (await CHANGE_COUNT.first(tx, []))?.changes;
}

async function runWithSavepoints(tx: Transaction, jobs: readonly Job[]): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (const job of jobs) outcomes.push(await runInSavepoint(tx, job));
  return outcomes;
}

/** Takes the file's write lock, waiting without blocking the event loop while another process holds it. */
async function beginWhenFree(tx: Transaction, deadline: number): Promise<void> {
  for (;;) {
    try {
      await BEGIN.run(tx, []);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(LOCK_RETRY_MS);
    }
  }
}

async function runInSavepoint(tx: Transaction, job: Job): Promise<Outcome> {
  await BEGIN_JOB.run(tx, []);
  try {
    const value = await job.work(tx);
    await END_JOB.run(tx, []);
    return { value };
  } catch (error) {
    await undoJob(tx, error);
    return { error: translateFailure(error) };
  }
}

/** @throws `cause` when there is nothing left to return to: a full disk or an I/O error has ended the transaction */
async function undoJob(tx: Transaction, cause: unknown): Promise<void> {
  try {
    await UNDO_JOB.run(tx, []);
    await END_JOB.run(tx, []);
  } catch {
    throw cause;
  }
}

/** A failed COMMIT or a full disk may have ended the transaction already; then there is nothing to undo. */
async function rollBackQuietly(tx: Transaction): Promise<void> {
  try {
    await ROLLBACK.run(tx, []);
  } catch {
    return;
  }
}
