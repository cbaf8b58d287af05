import type { EntityManager } from 'typeorm';

/** The handle of an open transaction: services pass it on, repositories use it. */
export type Transaction = EntityManager;

/**
 * The only way to write. Work that arrives together is committed together, so that one fsync serves many requests;
 * each piece still stands alone: one that throws is undone and disturbs no neighbour, and its error reaches only its
 * own caller. Nobody is answered before the commit.
 */
export abstract class UnitOfWork {
  /**
   * @param work may be run again from its beginning, where PostgreSQL gave it up for the sake of another change
   * @param domainId the one domain that `work` changes; it shares a commit only with changes of the same domain, where
   *   several changes can be under way at once
   * @throws what `work` throws, or a ServiceError `unavailable` when the database cannot commit
   */
  abstract run<T>(work: (transaction: Transaction) => Promise<T>, domainId?: string): Promise<T>;

  /** Resolves when everything accepted so far is committed or refused. */
  abstract drained(): Promise<void>;
}

/** How a change ended. */
export type Outcome = { readonly value: unknown } | { readonly error: Error };

/** A change that waits for its turn. */
export interface Job {
  readonly work: (transaction: Transaction) => Promise<unknown>;
  readonly settle: (outcome: Outcome) => void;
}

/** Puts `work` into a queue as a job, and resolves as the job is settled. */
export function queued<T>(work: (transaction: Transaction) => Promise<T>, enqueue: (job: Job) => void): Promise<T> {
  return new Promise<T>((resolve, reject) => {
    const settle = (outcome: Outcome): void => {
      // What this job's work resolves to is T: the queue only carries it.
      if ('value' in outcome) resolve(outcome.value as T);
      else reject(outcome.error);
    };
    enqueue({ work, settle });
  });
}
