import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { measureCommit, measureGroup } from './commit-figures.js';
import { isConflict, unavailable } from './database-failure.js';
import {
  clientOf,
  discardIfBroken,
  type PostgresClient,
  type PostgresNotice,
  rollBackQuietly,
} from './postgres-client.js';
import { SharedGroups } from './shared-groups.js';
import {
  type Batch,
  type BatchJob,
  type BatchScope,
  type Job,
  type Outcome,
  outcomesOf,
  queued,
  refuseOverdue,
  runAll,
  settleAll,
  takeGroup,
  UnitOfWork,
  type WorkScope,
} from './unit-of-work.js';
import { Transaction } from './transaction.js';

/** How long a change waits for its turn at most, in milliseconds: as long as for a lock that another process holds. */
const QUEUE_TIMEOUT_MS = 10_000;
/** How often a transaction is tried that PostgreSQL gives up for the sake of another. */
const ATTEMPTS = 5;
/** The longest wait before the second attempt, in milliseconds; it doubles with each. */
const BACKOFF = 10;

/** PostgreSQL's codes of warnings begin so. */
const WARNING_CLASS = '01';

/** The lane of all that names no zone. */
const ALONE = '';

interface Lane {
  readonly queue: Job[];
  readonly drained: Promise<void>;
}

/**
 * Group commit on PostgreSQL. Requests of a batch share transactions, whatever their zones, as long as nobody else holds
 * these. What has to wait goes into the lane of its zone, which has one connection at a time: the requests of a zone that is
 * held, and pieces of work that are no batch's, each in a transaction of its own, because nothing tells here whether it had
 * written when it was refused. Lanes run side by side, as far as the pool goes. What names no zone, such as making one, has
 * a lane of its own.
 *
 * Locks are taken in one order, so that no two transactions wait for each other: the advisory lock on the tree of names
 * (making a domain, repairing counters), then rows of `zones`, then the row of the tenant. A change of records holds rows
 * of `zones` and asks for nothing more; where it holds several, it has waited for none of them.
 */
export class PostgresUnitOfWork extends UnitOfWork {
  private readonly lanes = new Map<string, Lane>();
  private readonly shared = new SharedGroups(
    (jobs) => this.commit((tx) => runFree(tx, jobs)),
    (zoneId, job) => this.enqueue(zoneId, job),
  );

  constructor(private readonly writer: DataSource) {
    super();
  }

  override run<T>(
    work: (transaction: Transaction) => Promise<T>,
    { zoneId = ALONE, isLong = false }: WorkScope = {},
  ): Promise<T> {
    return queued(QUEUE_TIMEOUT_MS, (waiting) =>
      this.enqueue(zoneId, { ...waiting, batch: null, work, isLong, size: 1 }),
    );
  }

  override runInBatch<Request, Result>(
    batch: Batch<Request, Result>,
    request: Request,
    { zoneId, size }: BatchScope,
  ): Promise<Result> {
    return queued(QUEUE_TIMEOUT_MS, (waiting) => {
      const job: BatchJob = { ...waiting, batch, request, isLong: false, size };
      if (this.lanes.has(zoneId)) this.enqueue(zoneId, job);
      else this.shared.enqueue(zoneId, job);
    });
  }

  override async drained(): Promise<void> {
    while (this.lanes.size > 0 || this.shared.isBusy)
      await Promise.all([this.shared.drained(), ...[...this.lanes.values()].map((lane) => lane.drained)]);
  }

  override get waiting(): number {
    return [...this.lanes.values()].reduce((sum, { queue }) => sum + queue.length, this.shared.waitingCount);
  }

  private enqueue(zoneId: string, job: Job): void {
    const lane = this.lanes.get(zoneId);
    if (lane !== undefined) {
      lane.queue.push(job);
      return;
    }
    const queue = [job];
    this.lanes.set(zoneId, { queue, drained: this.drain(zoneId, queue) });
  }

  private async drain(zoneId: string, queue: Job[]): Promise<void> {
    // Lets every request that the event loop has at hand join the first group.
    await new Promise(setImmediate);
    for (;;) {
      refuseOverdue(queue, (job) => job);
      if (queue.length === 0) break;
      const jobs = takeGroup(queue, (job, first) => first.batch !== null && job.batch === first.batch);
      measureGroup(jobs);
      const commit = (group: readonly Job[]): Promise<Outcome[]> =>
        this.commit((tx) => runAll(tx, group, async (work) => ({ value: await work(tx) })));
      settleAll(jobs, await outcomesOf(jobs, commit));
    }
    this.lanes.delete(zoneId);
  }

  /** Nobody has been answered before the commit, so a conflict lets the whole group begin anew. */
  private async commit<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transact(work);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
        await delay(Math.random() * BACKOFF * 2 ** (attempt - 1));
      }
    }
  }

  private async transact<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const runner = this.writer.createQueryRunner();
    try {
      const client = await clientOf(runner);
      return await inTransaction(client, new Transaction(runner.manager), work);
    } finally {
      await runner.release();
    }
  }
}

/** @param jobs at least one, all of one batch */
async function runFree(tx: Transaction, jobs: readonly BatchJob[]): Promise<readonly (Outcome | null)[]> {
  const requests = jobs.map(({ request }) => request);
  return jobs[0]?.batch.runFree(tx, requests) ?? [];
}

async function inTransaction<T>(
  client: PostgresClient,
  tx: Transaction,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  try {
    await client.query('BEGIN');
    const result = await work(tx);
    tx.end();
    await commit(client);
    return result;
  } catch (error) {
    tx.end();
    if (!discardIfBroken(error, client)) await rollBackQuietly(client);
    throw error;
  }
}

/**
 * PostgreSQL answers the COMMIT of a transaction that has failed inside with a silent ROLLBACK, and one that somebody has
 * stopped from waiting for a synchronous standby with a warning: the standby may not have it when it takes over.
 */
async function commit(client: PostgresClient): Promise<void> {
  const warnings: PostgresNotice[] = [];
  const note = (notice: PostgresNotice): void => {
    if (notice.code?.startsWith(WARNING_CLASS) === true) warnings.push(notice);
  };
  client.on('notice', note);
  const { command } = await measureCommit(() => client.query('COMMIT')).finally(() => client.off('notice', note));
  if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}: an error inside was overlooked`);
  const [warning] = warnings;
  if (warning !== undefined) throw unavailable(new Error(`COMMIT came with a warning: ${warning.message}`));
}
