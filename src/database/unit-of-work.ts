import type { Transaction } from './transaction.js';

/**
 * The only way to write. Work that arrives together is committed together, so that one fsync serves many requests;
 * each piece still stands alone: one that throws is undone and disturbs no neighbour, and its error reaches only its
 * own caller. Nobody is answered before the commit.
 */
export abstract class UnitOfWork {
  /**
   * @param work may be run again from its beginning, when another change of its group is refused or PostgreSQL gave it
   *   up for the sake of another
   * @throws what `work` throws, or a ServiceError `unavailable` when the database cannot commit
   */
  abstract run<T>(work: (transaction: Transaction) => Promise<T>, scope?: WorkScope): Promise<T>;

  /** Resolves when everything accepted so far is committed or refused. */
  abstract drained(): Promise<void>;
}

/** How far a change reaches, where that decides with which others it may share a commit. */
export interface WorkScope {
  /** The one zone that is changed; where several changes can be under way at once, only changes of it go along. */
  readonly zoneId?: string;
  /** It may take seconds, so it has a commit to itself: nobody waits for it to no purpose, nor lets it begin anew. */
  readonly isLong?: boolean;
}

/** How a change ended. */
export type Outcome = { readonly value: unknown } | { readonly error: Error };

/** A change that waits for its turn. */
export interface Job {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  readonly isLong: boolean;
  /** Until when it waits for what is in its way, on the monotonic clock. */
  readonly deadline: number;
  readonly settle: (outcome: Outcome) => void;
}

/** Takes from the queue what comes next: up to `size` jobs that go along, or a long one alone. */
export function takeGroup(queue: Job[], size: number): Job[] {
  const firstLong = queue.findIndex(({ isLong }) => isLong);
  return queue.splice(0, firstLong < 0 ? size : Math.min(size, Math.max(firstLong, 1)));
}

/** Tells each job what became of it; jobs beyond the outcomes are left as they are. */
export function settleAll(jobs: readonly Job[], outcomes: readonly Outcome[]): void {
  for (const [index, outcome] of outcomes.entries()) jobs[index]?.settle(outcome);
}

/**
 * Puts `work` into a queue as a job, and resolves as the job is settled.
 * @param timeoutMs how long the job waits for its turn at most, in milliseconds
 */
export function queued<T>(
  work: (transaction: Transaction) => Promise<T>,
  { isLong = false }: WorkScope,
  timeoutMs: number,
  enqueue: (job: Job) => void,
): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle = (outcome: Outcome): void => {
      // What this job's work resolves to is T: the queue only carries it.
      if ('value' in outcome) resolve(outcome.value as T);
      else reject(outcome.error);
    };
    enqueue({ work, isLong, deadline: performance.now() + timeoutMs, settle });
  });
}
