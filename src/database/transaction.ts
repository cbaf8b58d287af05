import type { EntityManager } from 'typeorm';

/**
 * The handle of an open transaction, or of a read. Services pass it on, repositories use it; that TypeORM is behind it is
 * known to repositories and to this folder.
 */
export class Transaction {
  readonly #manager: EntityManager;

  constructor(manager: EntityManager) {
    this.#manager = manager;
  }

  static managerOf(transaction: Transaction): EntityManager {
    return transaction.#manager;
  }
}

/** TypeORM's own handle, for repositories. */
export function entityManagerOf(transaction: Transaction): EntityManager {
  return Transaction.managerOf(transaction);
}
