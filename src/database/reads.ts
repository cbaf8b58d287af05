import type { DataSource, QueryRunner } from 'typeorm';
import { recordAnswer, tellFailure } from './database-failure.js';
import { clientOf, discardIfUnfit, type PostgresClient, rollBackQuietly } from './postgres/postgres-client.js';
import type { Explain } from './schema-watch.js';
import { SharedLookups } from './postgres/shared-work.js';
import type { Lookup } from './statements/lookup.js';
import type { SqlValue } from './transaction.js';
import { Transaction } from './transaction.js';
import type { UnitOfWork } from './unit-of-work.js';

/** Reads committed data only. */
export abstract class Reads {
  abstract run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /** For a request without snapshot: it may share a round trip with other requests. @internal */
  lookUp<Row>(lookup: Lookup<Row>, key: readonly SqlValue[]): Promise<Row | undefined> {
    return this.run((tx) => lookup.first(tx, key));
  }

  /** The snapshot lasts until the consumer has read everything, so it must not wait for a network: use `Spool`. */
  abstract stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncIterable<T>;

  /**
   * Lets `work` read from a standby as new as the primary at its start. `work` may run twice, so it must only read. Its
   * look-ups use the primary.
   * @internal
   */
  offPrimary<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** Like `offPrimary`; while the primary is down, the data is as new as the standby. @internal */
  fromAny<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /** Asserts that the database file was not moved or replaced. @throws ServiceError `unavailable` @internal */
  assertInPlace(): Promise<void> {
    return Promise.resolve();
  }
}

/** A running change does not block it. */
export class ConnectionReads extends Reads {
  constructor(
    private readonly connection: Transaction,
    private readonly streams: StreamConnections,
    private readonly explain: Explain,
  ) {
    super();
  }

  override async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    try {
      return await work(this.connection);
    } catch (error) {
      throw await this.explain(error);
    }
  }

  override async *stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncGenerator<T> {
    try {
      yield* this.streams.stream(work);
    } catch (error) {
      throw await this.explain(error);
    }
  }

  override async assertInPlace(): Promise<void> {
    try {
      this.streams.assertUsable();
    } catch (error) {
      throw await this.explain(error);
    }
  }
}

export class PooledReads extends Reads {
  private readonly lookups = new SharedLookups((work) => this.run(work));

  /** @param streams for reads of whole zones */
  constructor(
    private readonly reader: DataSource,
    private readonly streams: DataSource,
    private readonly explain: Explain,
  ) {
    super();
  }

  override async run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    const runner = this.reader.createQueryRunner();
    const client = await connect(runner);
    try {
      const result = await work(new Transaction(runner.manager));
      recordAnswer();
      return result;
    } catch (error) {
      discardIfUnfit(error, client);
      throw await this.explain(error);
    } finally {
      await runner.release();
    }
  }

  override async lookUp<Row>(lookup: Lookup<Row>, key: readonly SqlValue[]): Promise<Row | undefined> {
    const [row] = await this.lookups.rows(lookup, key);
    return row;
  }

  override async *stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncGenerator<T> {
    const runner = this.streams.createQueryRunner();
    const client = await connect(runner);
    try {
      await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY');
      yield* work(new Transaction(runner.manager));
    } catch (error) {
      discardIfUnfit(error, client);
      throw await this.explain(error);
    } finally {
      await rollBackQuietly(client);
      await runner.release();
    }
  }
}

async function connect(runner: QueryRunner): Promise<PostgresClient> {
  try {
    return await clientOf(runner);
  } catch (error) {
    throw tellFailure(error);
  }
}

/** The one connection of an in-memory database: reads queue with changes, so none sees half of one. */
export class QueuedReads extends Reads {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(work);
  }

  /** A slow consumer must not block the only connection. */
  override async *stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncGenerator<T> {
    yield* await this.unitOfWork.run((tx) => gather(work(tx)));
  }
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}

/** Opening a connection costs as much as reading 100 records. */
const MOST_IDLE = 2;

/** Each has its own read transaction. */
export class StreamConnections {
  private readonly idle: DataSource[] = [];
  private isClosed = false;

  /** @param assertUsable throws if the database file was moved or replaced */
  constructor(
    private readonly openAnother: () => Promise<DataSource>,
    readonly assertUsable: () => void,
  ) {}

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

  /** A connection in use closes at the end of its stream. */
  async close(): Promise<void> {
    this.isClosed = true;
    for (const connection of this.idle.splice(0)) await connection.destroy();
  }

  /** A failed or abandoned connection is in an unknown state. */
  private async giveBack(connection: DataSource, isSound: boolean): Promise<void> {
    if (isSound && !this.isClosed && this.idle.length < MOST_IDLE) this.idle.push(connection);
    else await connection.destroy();
  }
}
