import type { SqlValue } from '../statements/sql-value.js';
import { entityManagerOf, type Transaction } from '../transaction.js';

/** What we use of better-sqlite3, whose statements run at once: TypeORM's way around them costs as much as they do. */
export interface SqliteConnection {
  /** A full disk or an I/O error ends a transaction by itself. */
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
}

interface SqliteStatement {
  /** Whether it returns rows at all. */
  readonly reader: boolean;
  columns(): readonly { readonly name: string }[];
  raw(isRaw: boolean): SqliteStatement;
  all(values: readonly SqlValue[]): unknown[];
  iterate(values: readonly SqlValue[]): Iterable<unknown>;
  get(values: readonly SqlValue[]): unknown;
  run(values: readonly SqlValue[], named?: NamedValues): unknown;
}

/** Of parameters that have a name in the text, such as `@zone`, without the `@`. */
export type NamedValues = Readonly<Record<string, SqlValue>>;

/** SQLite's connection, `undefined` on PostgreSQL. */
export function connectionOf(tx: Transaction): SqliteConnection | undefined {
  // TypeORM's type of all drivers does not name what its better-sqlite3 driver has.
  return (entityManagerOf(tx).dataSource.driver as unknown as { readonly databaseConnection?: SqliteConnection })
    .databaseConnection;
}

/** Connections on which rows are staged: names of tables mean others there, which have other indexes, or views. */
const STAGED = new WeakSet<SqliteConnection>();

export function recordStaged(connection: SqliteConnection): void {
  STAGED.add(connection);
}

export function isStaged(connection: SqliteConnection): boolean {
  return STAGED.has(connection);
}

/** One text, prepared once on each connection. */
export class SqliteText<Row> {
  private readonly prepared = new WeakMap<SqliteConnection, PreparedStatement<Row>>();

  constructor(private readonly sql: string) {}

  on(connection: SqliteConnection): PreparedStatement<Row> {
    let statement = this.prepared.get(connection);
    if (statement === undefined) {
      statement = new PreparedStatement<Row>(connection.prepare(this.sql));
      this.prepared.set(connection, statement);
    }
    return statement;
  }
}

/** Rows come out of SQLite as arrays and are named here: better-sqlite3 takes twice as long to make objects itself. */
class PreparedStatement<Row> {
  private readonly names: readonly string[];

  constructor(private readonly statement: SqliteStatement) {
    this.names = statement.reader ? statement.columns().map(({ name }) => name) : [];
    if (statement.reader) statement.raw(true);
  }

  all(values: readonly SqlValue[]): Row[] {
    return this.statement.all(values).map((row) => this.named(row as SqlValue[]));
  }

  until(values: readonly SqlValue[], isEnough: (row: Row) => boolean): Row[] {
    const rows: Row[] = [];
    for (const cells of this.statement.iterate(values)) {
      const row = this.named(cells as SqlValue[]);
      rows.push(row);
      if (isEnough(row)) break;
    }
    return rows;
  }

  get(values: readonly SqlValue[]): Row | undefined {
    const row = this.statement.get(values);
    return row === undefined ? undefined : this.named(row as SqlValue[]);
  }

  run(values: readonly SqlValue[]): void {
    this.statement.run(values);
  }

  runNamed(values: readonly SqlValue[], named: NamedValues): void {
    this.statement.run(values, named);
  }

  private named(row: readonly SqlValue[]): Row {
    const named: Record<string, unknown> = {};
    for (let at = 0; at < row.length; at += 1) named[this.names[at] ?? ''] = row[at];
    // The statement's author says what its rows look like.
    return named as Row;
  }
}

/** A synchronous call as a promise: what it throws becomes a rejection. */
export function asPromise<T>(call: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(call());
  });
}

/** The error that ended the last transaction of a connection before its COMMIT. */
const ENDED_BY = new WeakMap<SqliteConnection, Error>();

/** A call, since a write changes it. */
const isInTransaction = (connection: SqliteConnection): boolean => connection.inTransaction;

/**
 * A write inside a transaction.
 * @throws the error that ended the transaction, also for the other writes of the turn: SQLite would commit each of them alone,
 *   and whichever rejects first tells the caller the cause
 */
export function writeOn(connection: SqliteConnection, write: () => void): Promise<void> {
  return asPromise(() => {
    if (!isInTransaction(connection)) throw ENDED_BY.get(connection) ?? new Error('the transaction has ended');
    try {
      write();
    } catch (error) {
      if (!isInTransaction(connection) && error instanceof Error) ENDED_BY.set(connection, error);
      throw error;
    }
  });
}
