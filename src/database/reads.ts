import type { DataSource, QueryRunner } from 'typeorm';
import { recordAnswer, tellFailure } from './database-fault.js';
import { clientOf, discardIfUnfit, type PostgresClient, rollBackQuietly } from './postgres/postgres-client.js';
import type { Explain } from './schema-watch.js';
import { SharedLookups } from './postgres/shared-lookups.js';
import type { Lookup } from './statements/lookup.js';
import type { SqlValue } from './statements/sql-value.js';
import type { StreamConnections } from './stream-connections.js';
import { Transaction } from './transaction.js';
import type { UnitOfWork } from './unit-of-work.js';

/** The way to everything that is committed, and to nothing else. */
export abstract class Reads {
  abstract run<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;

  /**
   * The first row of a key, for a request that needs nothing else of the same moment: it may share a round trip with others.
   * @internal
   */
  lookUp<Row>(lookup: Lookup<Row>, key: readonly SqlValue[]): Promise<Row | undefined> {
    return this.run((tx) => lookup.first(tx, key));
  }

  /**
   * What `work` yields, all of it read from one moment of the database. That moment is held until the consumer has
   * taken everything, so a consumer must not wait for a network: `Spool` does that in its place.
   */
  abstract stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncIterable<T>;

  /**
   * What `work` reads may come from a standby, as new as the primary is when `work` begins. It may run twice, and so only
   * reads. What it has looked up, and what goes on after it, comes from the primary.
   * @internal
   */
  offPrimary<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /**
   * The same for what goes on while the primary does not answer: then it is as new as the standby.
   * @internal
   */
  fromAny<T>(work: () => Promise<T>): Promise<T> {
    return work();
  }

  /**
   * For what was read before and is handed out again: whether it could be read anew, as far as that is known without reading.
   * @throws ServiceError `unavailable` where the file of the database has been moved or replaced
   * @internal
   */
  assertInPlace(): Promise<void> {
    return Promise.resolve();
  }
}

/** Reads on a connection of their own, which a change in progress does not hold up. */
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

/** Reads on PostgreSQL: each has a connection of the pool for as long as it takes. */
export class PooledReads extends Reads {
  private readonly lookups = new SharedLookups((work) => this.run(work));

  /** @param streams the pool of those that read a whole zone */
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

/** An in-memory database has one connection, so reads queue with the changes: none sees half of one. */
export class QueuedReads extends Reads {
  constructor(private readonly unitOfWork: UnitOfWork) {
    super();
  }

  override run<T>(work: (tx: Transaction) => Promise<T>): Promise<T> {
    return this.unitOfWork.run(work);
  }

  /** Gathered before it is handed on: a slow consumer must not hold up the one connection. */
  override async *stream<T>(work: (tx: Transaction) => AsyncIterable<T>): AsyncGenerator<T> {
    yield* await this.unitOfWork.run((tx) => gather(work(tx)));
  }
}

async function gather<T>(items: AsyncIterable<T>): Promise<T[]> {
  const gathered: T[] = [];
  for await (const item of items) gathered.push(item);
  return gathered;
}
