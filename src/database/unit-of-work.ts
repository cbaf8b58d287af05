import { PluginUnavailable, ServiceError } from '../common/service-error.js';
import type { Explain } from './schema-watch.js';
import type { Transaction } from './transaction.js';
import { Histogram, secondsSince } from '../observability/metrics.js';

/**
 * The only way to write. Commits concurrent requests together, with one fsync, and answers after the commit. All checks
 * come before the first write, so a refusal needs no rollback.
 */
export abstract class UnitOfWork {
  /**
   * @param work may run again, if another member of its group fails or PostgreSQL aborts it in favor of another
   * transaction
   * @throws the errors of `work`, or a ServiceError `unavailable` if the database cannot commit
   */
  abstract run<T>(work: (transaction: Transaction) => Promise<T>, scope?: WorkScope): Promise<T>;

  /**
   * Runs a request together with concurrent requests of its batch.
   * @throws the error of `batch` for this request, or a ServiceError `unavailable` @internal
   */
  abstract runInBatch<Request, Result>(
    batch: Batch<Request, Result>,
    request: Request,
    scope: BatchScope,
  ): Promise<Result>;

  /** Resolves when all accepted work is committed or refused. @internal */
  abstract drained(): Promise<void>;

  /** @internal */
  abstract get waiting(): number;
}

export interface Batch<Request, Result> {
  /**
   * In the order of the requests. A refused request has written nothing.
   * @throws every other error: each request then gets its own transaction
   */
  run(transaction: Transaction, requests: readonly Request[]): Promise<readonly Outcome<Result>[]>;

  /** For several zones, without waiting for a lock; `null`: the request would have to wait. */
  runFree(transaction: Transaction, requests: readonly Request[]): Promise<readonly (Outcome<Result> | null)[]>;
}

/** The reach of a change, which decides with which other changes it may share a commit. */
export interface WorkScope {
  /** The changed zone. If changes can run in parallel, this one waits only for those of the same zone. */
  readonly zoneId?: string;
  /** For a change of no zone: the name of its queue. Changes without zone and queue share one queue. */
  readonly queue?: string;
  /** The queue has no connection of its own: it takes one of those that zones share. */
  readonly sharesConnections?: boolean;
  /** The requesting tenant, for fair sharing of connections. */
  readonly tenantId?: string;
  /** The work begins by locking the row of the zone, and can wait for it before it has a connection. */
  readonly takesZone?: boolean;
  /** May take seconds, so it has its own commit: short work neither waits for it nor makes it restart. */
  readonly isLong?: boolean;
  /** The connection on which the work was prepared, if it needs that one. */
  readonly on?: Transaction;
}

export type BatchScope = BatchPlace & {
  /** As in `WorkScope`. */
  readonly tenantId: string;
  /** In operations. */
  readonly size: number;
};

type BatchPlace = { readonly zoneId: string } | { readonly queue: string };

/** How a change ended. */
export type Outcome<Result = unknown> = { readonly value: Result } | { readonly error: Error };

export type Job = BatchJob | WorkJob;

interface WorkJob extends Waiting {
  readonly batch: null;
  readonly work: (transaction: Transaction) => Promise<unknown>;
  readonly isLong: boolean;
  readonly takesZone: boolean;
  /** `WorkScope.on`. */
  readonly on?: Transaction | undefined;
}

export interface BatchJob extends Waiting {
  readonly batch: Batch<unknown, unknown>;
  readonly request: unknown;
  readonly isLong: false;
  readonly takesZone: true;
}

interface Waiting {
  readonly size: number;
  readonly tenantId: string;
  /** On the monotonic clock. */
  readonly since: number;
  /** On the monotonic clock. */
  deadline: number;
  readonly settle: (outcome: Outcome) => void;
}

/** More would only delay the first change. */
export const GROUP_SIZE = 128;
/** About 10 ms of work. */
export const GROUP_OPERATIONS = 1000;

/** The first job has waited longest. */
export function refuseOverdue<Queued>(queue: Queued[], jobOf: (queued: Queued) => Job): void {
  const error = new ServiceError('unavailable', 'The database is slow at the moment; try again later.');
  while (queue[0] !== undefined && jobOf(queue[0]).deadline < performance.now()) {
    jobOf(queue[0]).settle({ error });
    queue.shift();
  }
}

/** Waits while each turn of the event loop brings another request, and the group has room. */
export async function gathered(waiting: () => number): Promise<void> {
  let known;
  do {
    known = waiting();
    await new Promise(setImmediate);
  } while (waiting() > known && waiting() < GROUP_SIZE);
}

/** The first job and all that can go with it, or a long one alone. */
export function takeGroup(queue: Job[], goesAlong: (job: Job, first: Job) => boolean): Job[] {
  const [first] = queue;
  if (first === undefined) return [];
  let count = 1;
  for (let operations = first.size; !first.isLong && count < GROUP_SIZE; count += 1) {
    const job = queue[count];
    operations += job?.size ?? 0;
    if (job === undefined || job.isLong || operations > GROUP_OPERATIONS || !goesAlong(job, first)) break;
  }
  return queue.splice(0, count);
}

/** Consecutive jobs of one batch run together. */
export async function runAll(
  tx: Transaction,
  jobs: readonly Job[],
  runOne: (work: (transaction: Transaction) => Promise<unknown>) => Promise<Outcome>,
): Promise<Outcome[]> {
  const outcomes: Outcome[] = [];
  for (let at = 0; at < jobs.length;) {
    const job = jobs[at];
    if (job === undefined) break;
    const requests = job.batch === null ? [] : requestsOf(jobs.slice(at), job.batch);
    outcomes.push(...(job.batch === null ? [await runOne(job.work)] : await job.batch.run(tx, requests)));
    at += Math.max(1, requests.length);
  }
  return outcomes;
}

function requestsOf(jobs: readonly Job[], batch: Batch<unknown, unknown>): unknown[] {
  const others = jobs.findIndex((job) => job.batch !== batch);
  return (others < 0 ? jobs : jobs.slice(0, others)).map((job) => (job.batch === null ? null : job.request));
}

/** If one job fails unexpectedly, each runs again in its own transaction. A database failure fails all jobs. */
export async function outcomesOf(
  jobs: readonly Job[],
  commit: (jobs: readonly Job[]) => Promise<Outcome[]>,
  explain: Explain,
): Promise<Outcome[]> {
  try {
    return await commit(jobs);
  } catch (error) {
    const failure = await explain(error);
    if (jobs.length === 1 || isUnavailable(failure)) return jobs.map(() => ({ error: failure }));
  }
  const outcomes: Outcome[] = [];
  for (const job of jobs) outcomes.push(...(await outcomesOf([job], commit, explain)));
  return outcomes;
}

/** The database can serve no job, so do not retry immediately. A plugin's failure concerns its own callers only. */
export function isUnavailable(failure: Error): boolean {
  if (failure instanceof PluginUnavailable) return false;
  return 'code' in failure && (failure as ServiceError).code === 'unavailable';
}

export function settleAll(jobs: readonly Job[], outcomes: readonly Outcome[]): void {
  for (const [index, outcome] of outcomes.entries()) jobs[index]?.settle(outcome);
}

/** Resolves when the job is settled. */
export function queued<T>(
  timeoutMs: number,
  enqueue: (waiting: Omit<Waiting, 'size' | 'tenantId'>) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle = (outcome: Outcome): void => {
      // The queue only carries the job, whose result is T.
      if ('value' in outcome) resolve(outcome.value as T);
      else reject(outcome.error);
    };
    const since = performance.now();
    enqueue({ since, deadline: since + timeoutMs, settle });
  });
}

const GROUP_SIZES = [1, 2, 4, 8, 16, 32, 64, 128];

const CHANGES = new Histogram(
  { name: 'zonewright_commit_group_changes', help: 'Changes that were begun together, to share one commit.' },
  GROUP_SIZES,
).of();
const WAITS = new Histogram({
  name: 'zonewright_change_wait_seconds',
  help: 'How long changes waited in the queue before they were begun.',
}).of();
const COMMITS = new Histogram({
  name: 'zonewright_commit_duration_seconds',
  help: 'What the database took for a COMMIT, which a group of changes shares.',
}).of();

export function measureGroup(jobs: readonly Pick<Job, 'since'>[]): void {
  CHANGES.observe(jobs.length);
  for (const { since } of jobs) WAITS.observe(secondsSince(since));
}

export async function measureCommit<T>(commit: () => Promise<T>): Promise<T> {
  const begun = performance.now();
  const result = await commit();
  COMMITS.observe(secondsSince(begun));
  return result;
}
