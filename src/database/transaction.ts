import type { EntityManager } from 'typeorm';

/**
 * The handle of an open transaction, or of a read. Services pass it on, repositories use it; that TypeORM is behind it is
 * known to repositories and to this folder.
 */
export class Transaction {
  readonly #manager: EntityManager;
  #isOver = false;

  /** @internal */
  constructor(manager: EntityManager) {
    this.#manager = manager;
  }

  /**
   * Another handle of the same transaction, which may end before it.
   * @internal
   */
  lend(): Transaction {
    return new Transaction(Transaction.managerOf(this));
  }

  /**
   * From now on nothing goes through it: its connection is about to be somebody else's.
   * @internal
   */
  end(): void {
    this.#isOver = true;
  }

  /** @internal */
  static managerOf(transaction: Transaction): EntityManager {
    if (transaction.#isOver) throw new Error('the transaction is over');
    return transaction.#manager;
  }
}

/** TypeORM's own handle, for repositories. */
export function entityManagerOf(transaction: Transaction): EntityManager {
  return Transaction.managerOf(transaction);
}
