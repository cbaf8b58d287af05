import type { EntityManager, QueryRunner } from 'typeorm';

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
    return new ScopedTransaction(Transaction.managerOf(this));
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

/** Has a manager of its own, which is of no more use either once it is over, whoever has kept it. */
class ScopedTransaction extends Transaction {
  readonly #runner: ScopedRunner;

  constructor({ dataSource, queryRunner }: EntityManager) {
    const runner = lentRunner(queryRunner);
    super(dataSource.createEntityManager(runner));
    this.#runner = runner;
  }

  override end(): void {
    super.end();
    this.#runner.isReleased = true;
  }
}

/** TypeORM asks it before each statement. */
type ScopedRunner = QueryRunner & { isReleased: boolean };

/** The same session, and released by itself. */
function lentRunner(runner: QueryRunner | undefined): ScopedRunner {
  if (runner === undefined) throw new Error('only what has a connection of its own can be lent');
  // An object that differs from the runner in one property is one.
  return Object.create(runner, { isReleased: { value: false, writable: true } }) as ScopedRunner;
}

/** TypeORM's own handle, for repositories. */
export function entityManagerOf(transaction: Transaction): EntityManager {
  return Transaction.managerOf(transaction);
}
