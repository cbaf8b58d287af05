import type { EntityManager, QueryRunner } from 'typeorm';

/** An open transaction or read. Only repositories and this folder know that TypeORM is behind it. */
export class Transaction {
  readonly #manager: EntityManager;
  #isOver = false;

  /** @internal */
  constructor(manager: EntityManager) {
    this.#manager = manager;
  }

  /** Another handle of the same transaction, which may end before it. @internal */
  lend(): Transaction {
    return new ScopedTransaction(Transaction.managerOf(this));
  }

  /** Refuses further use: the connection goes to another transaction next. @internal */
  end(): void {
    this.#isOver = true;
  }

  /** @internal */
  static managerOf(transaction: Transaction): EntityManager {
    if (transaction.#isOver) throw new Error('the transaction is over');
    return transaction.#manager;
  }
}

/** Its own manager makes references to it unusable as well once it is over. */
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

/** TypeORM checks `isReleased` before each statement. */
type ScopedRunner = QueryRunner & { isReleased: boolean };

function lentRunner(runner: QueryRunner | undefined): ScopedRunner {
  if (runner === undefined) throw new Error('only what has a connection of its own can be lent');
  return Object.create(runner, { isReleased: { value: false, writable: true } }) as ScopedRunner;
}

/** TypeORM's own handle, for repositories. */
export function entityManagerOf(transaction: Transaction): EntityManager {
  return Transaction.managerOf(transaction);
}

/** A value of a statement. */
export type SqlValue = string | number | null;

/** The type of an array value on PostgreSQL. */
export type SqlType = 'text' | 'integer' | 'bigint';
