import { expandContents } from '../statements/contents-id.js';
import type { SqlValue } from '../transaction.js';
import { entityManagerOf, type Transaction } from '../transaction.js';

/** The used part of better-sqlite3. TypeORM's overhead would double the cost of statements. */
export interface SqliteConnection {
  /** SQLite itself ends a transaction after a full disk or an I/O error. */
  readonly inTransaction: boolean;
  prepare(sql: string): SqliteStatement;
}

interface SqliteStatement {
  readonly reader: boolean;
  columns(): readonly { readonly name: string }[];
  raw(isRaw: boolean): SqliteStatement;
  all(values: readonly SqlValue[]): unknown[];
  iterate(values: readonly SqlValue[]): Iterable<unknown>;
  get(values: readonly SqlValue[]): unknown;
  run(values: readonly SqlValue[], named?: NamedValues): unknown;
}

/** Without the `@` of parameters such as `@zone`. */
export type NamedValues = Readonly<Record<string, SqlValue>>;

export function connectionOf(tx: Transaction): SqliteConnection | undefined {
  // Missing in TypeORM's common driver type.
  return (entityManagerOf(tx).dataSource.driver as unknown as { readonly databaseConnection?: SqliteConnection })
    .databaseConnection;
}

/** Connections on which table names mean temporary tables with other indexes, or views. */
const STAGED = new WeakSet<SqliteConnection>();

export function recordStaged(connection: SqliteConnection): void {
  STAGED.add(connection);
}

export function isStaged(connection: SqliteConnection): boolean {
  return STAGED.has(connection);
}

export class SqliteText<Row> {
  private readonly prepared = new WeakMap<SqliteConnection, PreparedStatement<Row>>();

  private readonly sql: string;

  constructor(sql: string) {
    this.sql = expandContents(sql);
  }

  on(connection: SqliteConnection): PreparedStatement<Row> {
    let statement = this.prepared.get(connection);
    if (statement === undefined) {
      statement = new PreparedStatement<Row>(connection, connection.prepare(this.sql));
      this.prepared.set(connection, statement);
    }
    return statement;
  }
}

/** The error that ended a transaction before its COMMIT. */
const ENDED_BY = new WeakMap<SqliteConnection, Error>();

/** A function, since a statement changes the value. */
const isInTransaction = (connection: SqliteConnection): boolean => connection.inTransaction;

/** Names the values itself: better-sqlite3 takes twice as long to create objects. */
class PreparedStatement<Row> {
  private readonly names: readonly string[];

  constructor(
    private readonly connection: SqliteConnection,
    private readonly statement: SqliteStatement,
  ) {
    this.names = statement.reader ? statement.columns().map(({ name }) => name) : [];
    if (statement.reader) statement.raw(true);
  }

  all(values: readonly SqlValue[]): Row[] {
    return this.tried(() => this.statement.all(values)).map((row) => this.named(row as SqlValue[]));
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
    const row = this.tried(() => this.statement.get(values));
    return row === undefined ? undefined : this.named(row as SqlValue[]);
  }

  run(values: readonly SqlValue[]): void {
    this.tried(() => this.statement.run(values));
  }

  runNamed(values: readonly SqlValue[], named: NamedValues): void {
    this.tried(() => this.statement.run(values, named));
  }

  private tried<T>(call: () => T): T {
    const wasInTransaction = isInTransaction(this.connection);
    try {
      return call();
    } catch (error) {
      // Not `instanceof Error`: the native module keeps the error class of the realm that loaded it first.
      if (wasInTransaction && !isInTransaction(this.connection)) ENDED_BY.set(this.connection, error as Error);
      throw error;
    }
  }

  private named(row: readonly SqlValue[]): Row {
    const named: Record<string, unknown> = {};
    for (let at = 0; at < row.length; at += 1) named[this.names[at] ?? ''] = row[at];
    return named as Row;
  }
}

/** An exception becomes a rejection. */
export function asPromise<T>(call: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(call());
  });
}

/** @throws the error that ended the transaction, also for other writes of the turn, which SQLite would commit alone */
export function writeOn(connection: SqliteConnection, write: () => void): Promise<void> {
  return asPromise(() => {
    if (!connection.inTransaction) throw ENDED_BY.get(connection) ?? new Error('the transaction has ended');
    write();
  });
}
