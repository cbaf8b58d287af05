import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { ServiceError } from '../common/service-error.js';
import { endsSession, isConflict, translateFailure } from './database-failure.js';
import { clientOf, discardIfBroken, type PostgresClient, rollBackQuietly } from './postgres-client.js';
import { type Job, type Outcome, queued, settleAll, takeGroup, UnitOfWork, type WorkScope } from './unit-of-work.js';
import { Transaction } from './transaction.js';

/** How many changes share one commit at most: PostgreSQL keeps track of 64 savepoints at no extra cost. */
const GROUP_SIZE = 64;
/** A group commits what it has when it has taken so many milliseconds: on a slow server nobody waits for 63 others. */
const GROUP_TIMEOUT_MS = 2000;
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
 * one connection at a time and share commits. Lanes run side by side, as far as the pool goes. What names no zone,
 * such as making one, has a lane of its own, where each change is a transaction of its own.
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

  override run<T>(work: (transaction: Transaction) => Promise<T>, scope: WorkScope = {}): Promise<T> {
    const { zoneId = ALONE } = scope;
    return queued(work, scope, QUEUE_TIMEOUT_MS, (job) => {
      const lane = this.lanes.get(zoneId);
      if (lane === undefined) this.open(zoneId, job);
      else lane.queue.push(job);
    });
  }

  override async drained(): Promise<void> {
    while (this.lanes.size > 0) await Promise.all([...this.lanes.values()].map((lane) => lane.drained));
  }

  private open(zoneId: string, first: Job): void {
    const queue = [first];
    this.lanes.set(zoneId, { queue, drained: this.drain(zoneId, queue) });
  }

  private async drain(zoneId: string, queue: Job[]): Promise<void> {
    // Lets every request that the event loop has at hand join the first group.
    await new Promise(setImmediate);
    for (;;) {
      refuseOverdue(queue);
      if (queue.length === 0) break;
      const jobs = takeGroup(queue, zoneId === ALONE ? 1 : GROUP_SIZE);
      const outcomes = await this.outcomesOf(jobs);
      settleAll(jobs, outcomes);
      queue.unshift(...jobs.slice(outcomes.length));
    }
    this.lanes.delete(zoneId);
  }

  /**
   * What became of the first jobs; the others are to be taken up again. Nobody has been answered before the commit, so
   * a conflict lets the whole group begin anew.
   */
  private async outcomesOf(jobs: readonly Job[]): Promise<Outcome[]> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transact(jobs);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) return jobs.map(() => ({ error: translateFailure(error) }));
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

async function commitGroup(client: PostgresClient, transaction: Transaction, jobs: readonly Job[]): Promise<Outcome[]> {
  const [only] = jobs;
  try {
    await client.query('BEGIN');
    const outcomes =
      jobs.length === 1 && only !== undefined
        ? [{ value: await only.work(transaction) }]
        : await runWithSavepoints(client, transaction, jobs);
    await commit(client);
    return outcomes;
  } catch (error) {
    if (!discardIfBroken(error, client)) await rollBackQuietly(client);
    throw error;
  }
}

/** Each job between two savepoints: one that is refused is rolled back to the one before it. Late ones are left out. */
async function runWithSavepoints(
  client: PostgresClient,
  transaction: Transaction,
  jobs: readonly Job[],
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  const end = performance.now() + GROUP_TIMEOUT_MS;
  await client.query('SAVEPOINT job');
  for (const job of jobs) {
    if (outcomes.length > 0 && performance.now() > end) break;
    try {
      const value = await job.work(transaction);
      await client.query('RELEASE job; SAVEPOINT job');
      outcomes.push({ value });
    } catch (error) {
      if (isConflict(error) || endsSession(error)) throw error;
      await client.query('ROLLBACK TO job');
      outcomes.push({ error: translateFailure(error) });
    }
  }
  return outcomes;
}

/** PostgreSQL answers the COMMIT of a transaction that has failed inside with a silent ROLLBACK. */
async function commit(client: PostgresClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}: an error inside was overlooked`);
}
