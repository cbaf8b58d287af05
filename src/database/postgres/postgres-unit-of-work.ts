import { setTimeout as delay } from 'node:timers/promises';
import type { DataSource } from 'typeorm';
import { FairLimiter } from '../../common/waiting/fair-limiter.js';
import type { Release } from '../../common/waiting/limiter.js';
import {
  measureGroup,
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
  measureCommit,
} from '../unit-of-work.js';
import {
  isConflict,
  isHeldByOthers,
  tellFailure,
  isOfAborted,
  unavailable,
  isRefusingChanges,
  recordAnswer,
  recordWritten,
} from '../database-failure.js';
import {
  clientOf,
  discardIfBroken,
  nameQuery,
  type PostgresClient,
  type PostgresNotice,
  type PostgresResult,
  rollBackQuietly,
} from './postgres-client.js';
import type { Explain } from '../schema-watch.js';
import { SharedGroups } from './shared-work.js';
import { Transaction } from '../transaction.js';
import { Pipeline } from './postgres-pipeline.js';
import { LOCK_TIMEOUT } from './postgres-session.js';

/** As long as for a lock of another process. */
const QUEUE_TIMEOUT_MS = 10_000;
/** The work before it may be long as well. */
const LONG_QUEUE_TIMEOUT_MS = 60_000;
const ATTEMPTS = 5;
/** In milliseconds, before the second attempt; doubles with each. */
const BACKOFF = 10;
/** The longest wait before retrying work that a lock blocks, in milliseconds. */
const HELD_FOR = 200;

/** Connections for zones. With the two of `SharedGroups`, they leave some of the pool (ormconfig.ts) to other work. */
const SHORT_WORK = { perKey: 2, inAll: 3, timeLimit: QUEUE_TIMEOUT_MS };
const LONG_WORK = { perKey: 1, inAll: 3, timeLimit: LONG_QUEUE_TIMEOUT_MS };

const UNNAMED = 'unnamed';

interface QueueKey {
  readonly name: string;
  /** `null` for work on no zone. */
  readonly zoneId: string | null;
  /** Whether it waits for one of the connections that zones share. */
  readonly isShared: boolean;
}

interface Queue extends QueueKey {
  readonly jobs: Job[];
  drained: Promise<void>;
}

/**
 * Group commit on PostgreSQL. Batch requests share transactions while no lock blocks them. Requests for a locked zone
 * and single pieces of work go into the queue of their zone, which has one connection. Single work has its own
 * transaction, because nothing tells whether it had written before a refusal. Work on no zone has separate queues.
 *
 * Queues run in parallel and share some connections, fairly by tenant. They wait for a locked zone without a
 * connection: they retry the lock with a short timeout (ADR 12).
 *
 * Lock order, against deadlocks: advisory lock on the name tree (domain creation, counter repair), rows of `zones`, row
 * of the tenant. A change of records takes rows of `zones` only. If it holds several, it has waited for none of them.
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
    // Lets every ready request join the first group.
    await new Promise(setImmediate);
    for (let next = jobs[0]; next !== undefined; next = jobs[0]) {
      const release = await this.slotFor(queue, next);
      const held = await this.runNext(queue).finally(release);
      if (held.length > 0) await this.wait(queue, held);
    }
    this.queues.delete(name);
  }

  private slotFor({ isShared }: QueueKey, { isLong, tenantId }: Job): Promise<Release> {
    // Other queues are few.
    if (!isShared && !isLong) return Promise.resolve(() => undefined);
    const limiter = isLong ? this.long : this.short;
    return new Promise((resolve) => {
      const release = limiter.enter(tenantId, () => setImmediate(() => resolve(() => release())));
    });
  }

  /** Returns the jobs that a lock blocks. */
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

  /** In a zone queue, all jobs need the same lock; in others, they do not. */
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

  /** Nothing is answered before the commit, so a conflict restarts the whole group. */
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

async function runFree(tx: Transaction, jobs: readonly BatchJob[]): Promise<readonly (Outcome | null)[]> {
  const requests = jobs.map(({ request }) => request);
  return jobs[0]?.batch.runFree(tx, requests) ?? [];
}

const WARNING_CLASS = '01';

/** In milliseconds: enough for a change of records. After that, the change waits without a connection. */
const MOMENT = 150;
const BEGIN_BRIEFLY = `BEGIN; SET LOCAL lock_timeout = ${MOMENT}`;
const TAKE_ZONE = nameQuery('SELECT 1 FROM zones WHERE id = $1 FOR UPDATE');
const WAIT_LONGER = `SET LOCAL lock_timeout = ${LOCK_TIMEOUT}`;

interface Beginning {
  /** The zone whose row is locked first. */
  readonly zoneId: string | null;
  /** The first statement writes nothing and goes along with BEGIN: if BEGIN is refused, it runs alone. */
  readonly readsFirst: boolean;
}

async function inTransaction<T>(
  client: PostgresClient,
  tx: Transaction,
  { zoneId, readsFirst }: Beginning,
  work: (tx: Transaction) => Promise<T>,
): Promise<T> {
  const pipeline = Pipeline.begin(client, zoneId === null ? ['BEGIN'] : beginningWith(zoneId));
  try {
    if (!readsFirst) await pipeline.arrived();
    const result = await work(tx);
    tx.end();
    const hasWritten = isRefusingChanges() && (await wrote(pipeline));
    await commit(client, pipeline);
    recordAnswer();
    if (hasWritten) await recordWritten(null);
    return result;
  } catch (error) {
    tx.end();
    const cause = await causeOf(error, pipeline);
    if (!discardIfBroken(cause, client)) await rollBackQuietly(client);
    throw cause;
  } finally {
    pipeline.end();
  }
}

/** An earlier statement in the pipeline may be the cause. */
async function causeOf(error: unknown, pipeline: Pipeline): Promise<unknown> {
  try {
    await pipeline.arrived();
    return error;
  } catch (cause) {
    return isOfAborted(cause) ? error : cause;
  }
}

/** A transaction has an ID only after it has written. */
async function wrote(pipeline: Pipeline): Promise<boolean> {
  const { rows } = await pipeline.ask('SELECT 1 WHERE txid_current_if_assigned() IS NOT NULL');
  return rows.length > 0;
}

function beginningWith(zoneId: string): Parameters<typeof Pipeline.begin>[1] {
  return [BEGIN_BRIEFLY, { ...TAKE_ZONE, values: [zoneId] }, WAIT_LONGER];
}

/**
 * PostgreSQL answers the COMMIT of a failed transaction with a silent ROLLBACK. A warning may mean that a synchronous
 * standby lacks the change, because an operator canceled the wait for it. Warnings of the last write count too: both
 * look alike.
 */
async function commit(client: PostgresClient, pipeline: Pipeline): Promise<void> {
  const warnings: PostgresNotice[] = [];
  const note = (notice: PostgresNotice): void => {
    if (notice.code?.startsWith(WARNING_CLASS) === true) warnings.push(notice);
  };
  client.on('notice', note);
  const { command } = await answerToCommit(pipeline).finally(() => client.off('notice', note));
  if (command !== 'COMMIT') throw new Error(`the transaction ended in ${command}: an error inside was overlooked`);
  const [warning] = warnings;
  if (warning !== undefined) throw unavailable(new Error(`COMMIT came with a warning: ${warning.message}`));
}

/** The last write is in flight too; its answer comes first. */
async function answerToCommit(pipeline: Pipeline): Promise<PostgresResult> {
  const answer = pipeline.ask('COMMIT');
  answer.catch(() => undefined);
  await pipeline.arrived();
  return measureCommit(() => answer);
}
