import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../common/service-error.js';
import { isConflict } from './database-failure.js';
import { clientOf, discardIfBroken, type PostgresClient, rollBackQuietly } from './postgres-client.js';
import {
  type Batch,
  type BatchScope,
  type Job,
  type Outcome,
  outcomesOf,
  queued,
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

/** The lane of all that names no zone. */
const ALONE = '';

interface Lane {
  readonly queue: Job[];
  readonly drained: Promise<void>;
}

/**
 * Group commit on PostgreSQL. Changes of one zone would only wait for each other's row lock: they form a lane with
 * one connection at a time, and requests of a batch share commits. Lanes run side by side, as far as the pool goes. What
 * names no zone, such as making one, has a lane of its own. A piece of work that is no batch's is a transaction of its own:
 * here nothing tells whether it had written when it was refused.
 *
 * Locks are taken in one order, so that no two transactions wait for each other: the advisory lock on the tree of names
 * (making a domain, repairing counters), then rows of `zones`, then the row of the tenant. A change of records holds
 * one row of `zones` and asks for nothing more; a group holds what the changes of one zone hold.
 */
export class PostgresUnitOfWork extends UnitOfWork {
  private readonly lanes = new Map<string, Lane>();

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
    return queued(QUEUE_TIMEOUT_MS, (waiting) =>
      this.enqueue(zoneId, { ...waiting, batch: batch, request, isLong: false, size }),
    );
  }

  override async drained(): Promise<void> {
    while (this.lanes.size > 0) await Promise.all([...this.lanes.values()].map((lane) => lane.drained));
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
      refuseOverdue(queue);
      if (queue.length === 0) break;
      const jobs = takeGroup(queue, (job, first) => first.batch !== null && job.batch === first.batch);
      settleAll(jobs, await outcomesOf(jobs, (group) => this.commit(group)));
    }
    this.lanes.delete(zoneId);
  }

  /** Nobody has been answered before the commit, so a conflict lets the whole group begin anew. */
  private async commit(jobs: readonly Job[]): Promise<Outcome[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transact(jobs);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
        await delay(Math.random() * BACKOFF * 2 ** (attempt - 1));
      }
    }
  }

  private async transact(jobs: readonly Job[]): Promise<Outcome[]> {
    const runner = this.writer.createQueryRunner();
    try {
      const client = await clientOf(runner);
      return await commitGroup(client, new Transaction(runner.manager), jobs);
    } finally {
      await runner.release();
    }
  }
}

/** The first has waited longest. */
function refuseOverdue(queue: Job[]): void {
  const error = new ServiceError('unavailable', 'The database is slow at the moment; send it again later.');
  while (queue[0] !== undefined && queue[0].deadline < performance.now()) queue.shift()?.settle({ error });
}

async function commitGroup(client: PostgresClient, tx: Transaction, jobs: readonly Job[]): Promise<Outcome[]> {
  try {
    await client.query('BEGIN');
    const outcomes = await runAll(tx, jobs, async (work) => ({ value: await work(tx) }));
    await commit(client);
    return outcomes;
  } catch (error) {
    if (!discardIfBroken(error, client)) await rollBackQuietly(client);
    throw error;
  }
}

/** PostgreSQL answers the COMMIT of a transaction that has failed inside with a silent ROLLBACK. */
async function commit(client: PostgresClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}: an error inside was overlooked`);
}
