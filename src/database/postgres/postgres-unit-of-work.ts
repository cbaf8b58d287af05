import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import type { Release } from '../../common/waiting/limiter.js';
import { measureGroup } from '../commit-metrics.js';
import { isConflict, isHeldByOthers } from '../database-failure.js';
import { tellFailure } from '../database-fault.js';
import { clientOf } from './postgres-client.js';
import { type Beginning, inTransaction } from './postgres-transaction.js';
import type { Explain } from '../schema-watch.js';
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
  takeGroup,
  UnitOfWork,
  type WorkScope,
} from '../unit-of-work.js';
import { Transaction } from '../transaction.js';

/** How long a change waits for its turn at most, in milliseconds: as long as for a lock that another process holds. */
const QUEUE_TIMEOUT_MS = 10_000;
/** The same of long work: what is before it may be long as well. */
const LONG_QUEUE_TIMEOUT_MS = 60_000;
/** How often a transaction is tried that PostgreSQL gives up for the sake of another. */
const ATTEMPTS = 5;
/** The longest wait before the second attempt, in milliseconds; it doubles with each. */
const BACKOFF = 10;
/** The longest time after which something is tried again that somebody else holds, in milliseconds. */
const HELD_FOR = 200;

/**
 * How many connections work on zones at once, and how many of them for one tenant. Together with the two of `SharedGroups`
 * they leave some of the pool (ormconfig.ts) to what belongs to no zone.
 */
const SHORT_WORK = { perKey: 2, inAll: 3, timeLimit: QUEUE_TIMEOUT_MS };
const LONG_WORK = { perKey: 1, inAll: 3, timeLimit: LONG_QUEUE_TIMEOUT_MS };

/** The queue of all that names none. */
const UNNAMED = 'unnamed';

/** What a queue is for. */
interface QueueKey {
  readonly name: string;
  /** `null` for what belongs to none. */
  readonly zoneId: string | null;
  /** Whether it waits for one of the connections that zones share. */
  readonly isShared: boolean;
}

interface Queue extends QueueKey {
  readonly jobs: Job[];
  drained: Promise<void>;
}

/**
 * Group commit on PostgreSQL. Requests of a batch share transactions, whatever their zones, as long as nobody else holds
 * these. What has to wait goes into the queue of its zone, which has one connection at a time: the requests of a zone that is
 * held, and pieces of work that are no batch's, each in a transaction of its own, because nothing tells here whether it had
 * written when it was refused. What changes no zone has queues of its own: making zones, which is a batch as well, the event log,
 * whatever else there is.
 *
 * Queues run side by side. Those of zones share some connections of the pool, by tenants, and wait for a zone that somebody
 * else holds without one: they try to take it for a moment, again and again (ADR 12).
 *
 * Locks are taken in one order, so that no two transactions wait for each other: the advisory lock on the tree of names
 * (making a domain, repairing counters), then rows of `zones`, then the row of the tenant. A change of records holds rows
 * of `zones` and asks for nothing more; where it holds several, it has waited for none of them.
 */
export class PostgresUnitOfWork extends UnitOfWork {
  private readonly queues = new Map<string, Queue>();
  private readonly postponed = new Set<Promise<void>>();
  private readonly short = new FairLimiter(SHORT_WORK);
  private readonly long = new FairLimiter(LONG_WORK);
  private readonly shared = new SharedGroups(
    (jobs) => this.commit({ zoneId: null, readsFirst: true }, (tx) => runFree(tx, jobs)),
    (zoneId, job) => this.enqueue(ofZone(zoneId), job),
    (error) => this.explain(error),
  );

  constructor(
    private readonly writer: DataSource,
    private readonly explain: Explain = tellFailure,
  ) {
    super();
  }

  override run<T>(
    work: (transaction: Transaction) => Promise<T>,
    {
      zoneId,
      queue = UNNAMED,
      sharesConnections = false,
      tenantId = '',
      takesZone = false,
      isLong = false,
    }: WorkScope = {},
  ): Promise<T> {
    const key = zoneId === undefined ? { name: queue, zoneId: null, isShared: sharesConnections } : ofZone(zoneId);
    return queued(isLong ? LONG_QUEUE_TIMEOUT_MS : QUEUE_TIMEOUT_MS, (waiting) =>
      this.enqueue(key, { ...waiting, batch: null, work, isLong, tenantId, takesZone, size: 1 }),
    );
  }

  override runInBatch<Request, Result>(
    batch: Batch<Request, Result>,
    request: Request,
    { tenantId, size, ...place }: BatchScope,
  ): Promise<Result> {
    return queued(QUEUE_TIMEOUT_MS, (waiting) => {
      const job: BatchJob = { ...waiting, batch, request, isLong: false, tenantId, takesZone: true, size };
      if ('queue' in place) {
        this.enqueue({ name: place.queue, zoneId: null, isShared: false }, job);
        return;
      }
      const { zoneId } = place;
      if (this.queues.has(zoneId)) this.enqueue(ofZone(zoneId), job);
      else this.shared.enqueue(zoneId, job);
    });
  }

  override async drained(): Promise<void> {
    while (this.queues.size > 0 || this.postponed.size > 0 || this.shared.isBusy)
      await Promise.all([
        this.shared.drained(),
        ...this.postponed,
        ...[...this.queues.values()].map(({ drained }) => drained),
      ]);
  }

  override get waiting(): number {
    const inQueues = [...this.queues.values()].reduce((sum, { jobs }) => sum + jobs.length, 0);
    return inQueues + this.postponed.size + this.shared.waitingCount;
  }

  private enqueue(key: QueueKey, job: Job): void {
    const known = this.queues.get(key.name);
    if (known !== undefined) {
      known.jobs.push(job);
      return;
    }
    const queue: Queue = { ...key, jobs: [job], drained: Promise.resolve() };
    this.queues.set(key.name, queue);
    queue.drained = this.drain(queue);
  }

  private async drain(queue: Queue): Promise<void> {
    const { name, jobs } = queue;
    // Lets every request that the event loop has at hand join the first group.
    await new Promise(setImmediate);
    for (let next = jobs[0]; next !== undefined; next = jobs[0]) {
      const release = await this.slotFor(queue, next);
      const held = await this.runNext(queue).finally(release);
      if (held.length > 0) await this.wait(queue, held);
    }
    this.queues.delete(name);
  }

  /** Resolves as soon as there is a slot, or none for so long that the job is overdue. */
  private slotFor({ isShared }: QueueKey, { isLong, tenantId }: Job): Promise<Release> {
    // Of the others there are few, and each has one connection.
    if (!isShared && !isLong) return Promise.resolve(() => undefined);
    const limiter = isLong ? this.long : this.short;
    return new Promise((resolve) => {
      const release = limiter.enter(tenantId, () => setImmediate(() => resolve(() => release())));
    });
  }

  /** Runs the next group of the queue. Returns the jobs that are left since somebody else holds what they need. */
  private async runNext({ jobs: queue, zoneId }: Queue): Promise<readonly Job[]> {
    refuseOverdue(queue, (job) => job);
    const jobs = takeGroup(queue, (job, first) => first.batch !== null && job.batch === first.batch);
    if (jobs.length === 0) return [];
    measureGroup(jobs);
    const held = new Set<Job>();
    const commit = async (group: readonly Job[]): Promise<Outcome[]> => {
      try {
        const readsFirst = jobs.every(({ takesZone }) => takesZone);
        return await this.commit({ zoneId: readsFirst ? zoneId : null, readsFirst }, (tx) =>
          runAll(tx, group, async (work) => ({ value: await work(tx) })),
        );
      } catch (error) {
        if (isHeldByOthers(error)) for (const job of group) held.add(job);
        throw error;
      }
    };
    const outcomes = await outcomesOf(jobs, commit, this.explain);
    for (const [at, job] of jobs.entries()) if (!held.has(job)) settle(job, outcomes[at]);
    return [...held];
  }

  /** In the queue of a zone, all others would have to wait as well; elsewhere they need something else. */
  private async wait({ jobs, ...key }: Queue, held: readonly Job[]): Promise<void> {
    const over = delay((HELD_FOR * (1 + Math.random())) / 2);
    if (key.isShared) {
      jobs.unshift(...held);
      await over;
      return;
    }
    const postponed = over.then(() => {
      this.postponed.delete(postponed);
      for (const job of held) this.enqueue(key, job);
    });
    this.postponed.add(postponed);
  }

  /** Nobody has been answered before the commit, so a conflict lets the whole group begin anew. */
  private async commit<T>(beginning: Beginning, work: (tx: Transaction) => Promise<T>): Promise<T> {
    for (let attempt = 1; ; attempt++) {
      try {
        return await this.transact(beginning, work);
      } catch (error) {
        if (!isConflict(error) || attempt === ATTEMPTS) throw error;
        await delay(Math.random() * BACKOFF * 2 ** (attempt - 1));
      }
    }
  }

  private async transact<T>(beginning: Beginning, work: (tx: Transaction) => Promise<T>): Promise<T> {
    const runner = this.writer.createQueryRunner();
    try {
      const client = await clientOf(runner);
      return await inTransaction(client, new Transaction(runner.manager), beginning, work);
    } finally {
      await runner.release();
    }
  }
}

function ofZone(zoneId: string): QueueKey {
  return { name: zoneId, zoneId, isShared: true };
}

function settle(job: Job, outcome: Outcome | undefined): void {
  job.settle(outcome ?? { error: new Error('a change was passed over') });
}

/** @param jobs at least one, all of one batch */
async function runFree(tx: Transaction, jobs: readonly BatchJob[]): Promise<readonly (Outcome | null)[]> {
  const requests = jobs.map(({ request }) => request);
  return jobs[0]?.batch.runFree(tx, requests) ?? [];
}
