import { PluginUnavailable } from '../common/plugin-unavailable.js';
import { ServiceError } from '../common/service-error.js';
import type { Explain } from './schema-watch.js';
import type { Transaction } from './transaction.js';

/**
 * The only way to write. What arrives together is committed together, so that one fsync serves many requests, and nobody is
 * answered before the commit. Everything is judged before its first write: a refusal has written nothing, and so there is
 * nothing to undo.
 */
export abstract class UnitOfWork {
  /**
   * @param work may be run again from its beginning: when another of its group breaks, or when PostgreSQL gave it up for the
   *   sake of another
   * @throws what `work` throws, or a ServiceError `unavailable` when the database cannot commit
   */
  abstract run<T>(work: (transaction: Transaction) => Promise<T>, scope?: WorkScope): Promise<T>;

  /**
   * Has something done together with whatever else is asked of the same batch at the time.
   * @throws what `batch` says of this request, or a ServiceError `unavailable` when the database cannot commit
   * @internal
   */
  abstract runInBatch<Request, Result>(
    batch: Batch<Request, Result>,
    request: Request,
    scope: BatchScope,
  ): Promise<Result>;

  /**
   * Resolves when everything accepted so far is committed or refused.
   * @internal
   */
  abstract drained(): Promise<void>;

  /**
   * How many changes wait for their turn.
   * @internal
   */
  abstract get waiting(): number;
}

/** Work that is done for many requests at once. */
export interface Batch<Request, Result> {
  /**
   * What became of each request, in their order. What is refused has written nothing.
   * @throws whatever is no refusal: all is undone then, and each request has a transaction of its own
   */
  run(transaction: Transaction, requests: readonly Request[]): Promise<readonly Outcome<Result>[]>;

  /** The same of requests for several zones, of which none waits for another; `null`: this one would have had to wait. */
  runFree(transaction: Transaction, requests: readonly Request[]): Promise<readonly (Outcome<Result> | null)[]>;
}

/** How far a change reaches, where that decides with which others it may share a commit. */
export interface WorkScope {
  /** The one zone that is changed; where several changes can be under way at once, it waits for those of that zone only. */
  readonly zoneId?: string;
  /** Where it changes no zone: the name of the queue in which it waits. What names neither has a queue together. */
  readonly queue?: string;
  /** The queue has no connection of its own: it takes one of those that zones share. */
  readonly sharesConnections?: boolean;
  /** The tenant that asks, with whom others share the connections. */
  readonly tenantId?: string;
  /** It begins by taking the row of the zone, and can wait for that before it has a connection. */
  readonly takesZone?: boolean;
  /** It may take seconds, so it has a commit to itself: nobody waits for it to no purpose, nor lets it begin anew. */
  readonly isLong?: boolean;
  /** The connection that it needs, where that is not any: one on which it was prepared. */
  readonly on?: Transaction;
}

export type BatchScope = BatchPlace & {
  /** As in `WorkScope`. */
  readonly tenantId: string;
  /** How many single operations it is: a group is no larger than others can wait for. */
  readonly size: number;
};

/** The zone that is changed, or the name of the queue in which it waits, as in `WorkScope`. */
type BatchPlace = { readonly zoneId: string } | { readonly queue: string };

/** How a change ended. */
export type Outcome<Result = unknown> = { readonly value: Result } | { readonly error: Error };

/** What waits for its turn: one piece of work, or a request of a batch. */
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
  /** When it was asked for, on the monotonic clock. */
  readonly since: number;
  /** Until when it waits for what is in its way, on the monotonic clock. */
  deadline: number;
  readonly settle: (outcome: Outcome) => void;
}

/** How many changes share one commit at most; more only makes the first of them wait. */
export const GROUP_SIZE = 128;
/** The same in single operations: some ten milliseconds' work. */
export const GROUP_OPERATIONS = 1000;

/** Refuses those at the head of a queue that have waited too long; the first has waited longest. */
export function refuseOverdue<Queued>(queue: Queued[], jobOf: (queued: Queued) => Job): void {
  const error = new ServiceError('unavailable', 'The database is slow at the moment; try again later.');
  while (queue[0] !== undefined && jobOf(queue[0]).deadline < performance.now()) {
    jobOf(queue[0]).settle({ error });
    queue.shift();
  }
}

/**
 * Waits for every request that the event loop has at hand: as long as each turn brings another one, and the group has room.
 * @param waiting how many wait
 */
export async function gathered(waiting: () => number): Promise<void> {
  let known;
  do {
    known = waiting();
    await new Promise(setImmediate);
  } while (waiting() > known && waiting() < GROUP_SIZE);
}

/** Takes from the queue what comes next: jobs that go along with the first, or a long one alone. */
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

/** Runs jobs in their order, those that follow each other and share a batch together. */
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

/**
 * What became of the jobs of a group, which are committed together. Where one of them breaks, nothing is left of any, and each
 * is given a transaction of its own; what the database itself refuses, it refuses to all.
 */
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

/** Whether the database cannot serve anybody: it makes no sense to try again at once. A plugin has to do with its callers. */
export function isUnavailable(failure: Error): boolean {
  if (failure instanceof PluginUnavailable) return false;
  return 'code' in failure && (failure as ServiceError).code === 'unavailable';
}

/** Tells each job what became of it. */
export function settleAll(jobs: readonly Job[], outcomes: readonly Outcome[]): void {
  for (const [index, outcome] of outcomes.entries()) jobs[index]?.settle(outcome);
}

/**
 * Puts a job into a queue, and resolves as it is settled.
 * @param timeoutMs how long the job waits for its turn at most, in milliseconds
 */
export function queued<T>(
  timeoutMs: number,
  enqueue: (waiting: Omit<Waiting, 'size' | 'tenantId'>) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle = (outcome: Outcome): void => {
      // What this job resolves to is T: the queue only carries it.
      if ('value' in outcome) resolve(outcome.value as T);
      else reject(outcome.error);
    };
    const since = performance.now();
    enqueue({ since, deadline: since + timeoutMs, settle });
  });
}
