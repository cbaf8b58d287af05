import { type NamedQuery, postgresClientOf } from './postgres-client.js';
import { entityManagerOf, type Transaction } from './transaction.js';

export type SqlValue = string | number | null;

/**
 * One SQL statement with `?` for its values, prepared once on each connection. Plain statements cost a fifth of what
 * `save()` and the query builder cost; rows come back as the statement names their columns.
 */
export class Statement<Row = never> {
  private readonly prepared = new WeakMap<SqliteConnection, PreparedStatement<Row>>();
  private readonly named: NamedQuery;

  /**
   * @param forPostgres what PostgreSQL is sent instead: where rows must be held, as SQLite's one lock holds the file, or
   *   where only SQLite, which knows nothing of how many rows there are, has to be told an index
   */
  constructor(
    private readonly sql: string,
    forPostgres = sql,
  ) {
    this.named = nameQuery(forPostgres);
  }

  rows(tx: Transaction, values: readonly SqlValue[]): Promise<Row[]> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.send(tx, values);
    return asPromise(() => this.on(connection).all(values));
  }

  /**
   * The rows up to the first that is told to be enough. On PostgreSQL the statement itself has to end there: it comes
   * with all rows.
   */
  rowsUntil(tx: Transaction, values: readonly SqlValue[], isEnough: (row: Row) => boolean): Promise<Row[]> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.send(tx, values);
    return asPromise(() => this.on(connection).until(values, isEnough));
  }

  first(tx: Transaction, values: readonly SqlValue[]): Promise<Row | undefined> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.send(tx, values).then(([row]) => row);
    return asPromise(() => this.on(connection).get(values));
  }

  run(tx: Transaction, values: readonly SqlValue[]): Promise<void> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.send(tx, values).then(() => undefined);
    return asPromise(() => this.on(connection).run(values));
  }

  private on(connection: SqliteConnection): PreparedStatement<Row> {
    let statement = this.prepared.get(connection);
    if (statement === undefined) {
      statement = new PreparedStatement<Row>(connection.prepare(this.sql));
      this.prepared.set(connection, statement);
    }
    return statement;
  }

  private async send(tx: Transaction, values: readonly SqlValue[]): Promise<Row[]> {
    const client = await postgresClientOf(tx);
    const { rows } = await client.query({ ...this.named, values });
    // As above.
    return rows as Row[];
  }
}

let namedQueries = 0;

/** PostgreSQL numbers its parameters, and keeps a statement prepared under a name; no text of ours has a `?` in it. */
function nameQuery(sql: string): NamedQuery {
  let parameters = 0;
  namedQueries += 1;
  return { name: `zw${namedQueries}`, text: sql.replaceAll('?', () => `$${(parameters += 1)}`) };
}

/** The same statement for any number of values in an `IN (…)`: one prepared statement for each number. */
export class ManyStatement<Row> {
  private readonly statements = new Map<number, Statement<Row>>();

  /**
   * @param sql makes the statement from as many `?` as there are values
   * @param forPostgres as for `Statement`
   */
  constructor(
    private readonly sql: (marks: string) => string,
    private readonly forPostgres = sql,
  ) {}

  rows(tx: Transaction, values: readonly SqlValue[], many: readonly SqlValue[]): Promise<Row[]> {
    let statement = this.statements.get(many.length);
    if (statement === undefined) {
      const marks = many.map(() => '?').join(', ');
      statement = new Statement(this.sql(marks), this.forPostgres(marks));
      this.statements.set(many.length, statement);
    }
    return statement.rows(tx, [...values, ...many]);
  }
}

/** What we use of better-sqlite3, whose statements run at once: TypeORM's way around them costs as much as they do. */
interface SqliteConnection {
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
  run(values: readonly SqlValue[]): unknown;
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

  private named(row: readonly SqlValue[]): Row {
    const named: Record<string, unknown> = {};
    this.names.forEach((name, at) => (named[name] = row[at]));
    // The statement's author says what its rows look like.
    return named as Row;
  }
}

/** A synchronous call as a promise: what it throws becomes a rejection. */
function asPromise<T>(call: () => T): Promise<T> {
  return new Promise((resolve) => {
    resolve(call());
  });
}

/** SQLite's connection, `undefined` on PostgreSQL. */
function connectionOf(tx: Transaction): SqliteConnection | undefined {
  return (entityManagerOf(tx).dataSource.driver as unknown as { readonly databaseConnection?: SqliteConnection })
    .databaseConnection;
}

const DELETED_AT_A_TIME = 2000;

/**
 * Deletes a zone's rows piece by piece within the transaction, so that reads go on meanwhile. `statement` takes the
 * zone's id twice and a limit, and returns one row for each that it deletes.
 */
export async function deleteStepwise(tx: Transaction, statement: Statement<unknown>, zoneId: string): Promise<void> {
  for (;;) {
    const deleted = await statement.rows(tx, [zoneId, zoneId, DELETED_AT_A_TIME]);
    if (deleted.length < DELETED_AT_A_TIME) return;
    await new Promise(setImmediate);
  }
}
