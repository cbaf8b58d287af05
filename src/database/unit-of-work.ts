import type { EntityManager } from 'typeorm';

/** The handle of an open transaction: services pass it on, repositories use it. */
export type Transaction = EntityManager;

/**
 * The only way to write. Work that arrives together is committed together, so that one fsync serves many requests;
 * each piece still stands alone: one that throws is undone and disturbs no neighbour, and its error reaches only its
 * own caller. Nobody is answered before the commit.
 */
export abstract class UnitOfWork {
  /** @throws what `work` throws, or a ServiceError `unavailable` when the database cannot commit */
  abstract run<T>(work: (transaction: Transaction) => Promise<T>): Promise<T>;

  /** Resolves when everything accepted so far is committed or refused. */
  abstract drained(): Promise<void>;
}
