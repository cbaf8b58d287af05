import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import type { DatabaseFile } from './database-file.js';
import { isBusy, translateFailure } from './database-failure.js';
import { Statement } from './statement.js';
import { type Job, type Outcome, queued, type Transaction, UnitOfWork } from './unit-of-work.js';

const BEGIN = new Statement('BEGIN IMMEDIATE');
const COMMIT = new Statement('COMMIT');
const ROLLBACK = new Statement('ROLLBACK');
const BEGIN_JOB = new Statement('SAVEPOINT job');
const END_JOB = new Statement('RELEASE job');
const UNDO_JOB = new Statement('ROLLBACK TO job');

/** How many changes share one commit at most; more only makes the first of them wait. */
const GROUP_SIZE = 128;
/** How long a change waits at most while another process holds the file's write lock, in milliseconds. */
const LOCK_PATIENCE = 5000;
const LOCK_RETRY = 10;

interface WaitingJob extends Job {
  /** Until when it waits for another process's lock, on the monotonic clock. */
  readonly deadline: number;
}

/**
 * Group commit on SQLite's one writer. TypeORM's SQLite driver shares a single connection among all who ask, so this
 * queue is the only one that ever uses the writer's.
 */
export class SqliteUnitOfWork extends UnitOfWork {
  private readonly queue: WaitingJob[] = [];
  private draining: Promise<void> | null = null;

  constructor(
    private readonly writer: DataSource,
    /** `null` for a database in memory. */
    private readonly file: DatabaseFile | null,
    private readonly lockPatience = LOCK_PATIENCE,
  ) {
    super();
  }

  override run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T> {
    return queued(work, (job) => {
      this.queue.push({ ...job, deadline: performance.now() + this.lockPatience });
      this.draining ??= this.drain();
    });
  }

  override async drained(): Promise<void> {
    while (this.draining !== null) await this.draining;
  }

  private async drain(): Promise<void> {
    // Lets every request that the event loop has at hand join the first group.
    await new Promise(setImmediate);
    const { manager } = this.writer.createQueryRunner();
    while (this.queue.length > 0) await this.commitGroup(manager, this.queue.splice(0, GROUP_SIZE));
    this.draining = null;
  }

  private async commitGroup(tx: Transaction, jobs: readonly WaitingJob[]): Promise<void> {
    let outcomes: Outcome[] = [];
    try {
      await beginWhenFree(tx, Math.min(...jobs.map((job) => job.deadline)));
      for (const job of jobs) outcomes.push(await runAlone(tx, job));
      this.file?.assertInPlace();
      await COMMIT.run(tx, []);
    } catch (error) {
      await rollBackQuietly(tx);
      outcomes = jobs.map(() => ({ error: translateFailure(error) }));
    }
    for (const [index, job] of jobs.entries()) job.settle(outcomes[index] as Outcome);
  }
}

/** Takes the file's write lock, waiting without blocking the event loop while another process holds it. */
async function beginWhenFree(tx: Transaction, deadline: number): Promise<void> {
  for (;;) {
    try {
      await BEGIN.run(tx, []);
      return;
    } catch (error) {
      if (!isBusy(error) || performance.now() > deadline) throw error;
      await delay(LOCK_RETRY);
    }
  }
}

async function runAlone(tx: Transaction, job: Job): Promise<Outcome> {
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
