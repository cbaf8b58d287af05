import type { DataSource } from 'typeorm';
import { Transaction } from './transaction.js';

/** How many connections wait for the next stream: to open one costs as much as reading a hundred records. */
const MOST_IDLE = 2;

/** The connections of SQLite for what reads one moment for long, each with a read transaction of its own. */
export class StreamConnections {
  private readonly idle: DataSource[] = [];
  private isClosed = false;

  /**
   * @param openAnother makes a connection
   * @param assertUsable throws where the database is no longer what the connections were opened for
   */
  constructor(
    private readonly openAnother: () => Promise<DataSource>,
    readonly assertUsable: () => void,
  ) {}

  /** What `work` yields, all of it read from one moment. */
  async *stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncGenerator<T> {
    this.assertUsable();
    const connection = this.idle.pop() ?? (await this.openAnother());
    let isComplete = false;
    try {
      const runner = connection.createQueryRunner();
      await runner.startTransaction();
      yield* work(new Transaction(runner.manager));
      await runner.rollbackTransaction();
      isComplete = true;
    } finally {
      await this.giveBack(connection, isComplete);
    }
  }

  /** Closes those that wait; one that is in use is closed at the end of its stream. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const connection of this.idle.splice(0)) await connection.destroy();
  }

  /** Nobody knows in what state one is that has failed, or was left in the middle. */
  private async giveBack(connection: DataSource, isSound: boolean): Promise<void> {
    if (isSound && !this.isClosed && this.idle.length < MOST_IDLE) this.idle.push(connection);
    else await connection.destroy();
  }
}
