import { nameQuery, postgresClientOf, type PostgresQuery } from '../postgres/postgres-client.js';
import { Pipeline } from '../postgres/postgres-pipeline.js';
import type { SqlValue } from './sql-value.js';
import { asPromise, connectionOf, SqliteText } from '../sqlite/sqlite-connection.js';
import type { Transaction } from '../transaction.js';

/**
 * One SQL statement with `?` for its values, prepared once on each connection. Plain statements cost a fifth of what
 * `save()` and the query builder cost; rows come back as the statement names their columns.
 */
export class Statement<Row = never> {
  private readonly sqlite: SqliteText<Row>;
  private query: PostgresQuery;

  /**
   * @param forPostgres what PostgreSQL is sent instead: where rows must be held, as SQLite's one lock holds the file, or
   *   where only SQLite, which knows nothing of how many rows there are, has to be told an index
   */
  constructor(sql: string, forPostgres = sql) {
    this.sqlite = new SqliteText(sql);
    this.query = nameQuery(numbered(forPostgres));
  }

  /**
   * For one of so many texts that nobody knows their number: PostgreSQL keeps what has a name until the connection ends.
   */
  static once<Row>(sql: string, forPostgres = sql): Statement<Row> {
    const statement = new Statement<Row>(sql, forPostgres);
    statement.query = { text: statement.query.text };
    return statement;
  }

  rows(tx: Transaction, values: readonly SqlValue[]): Promise<Row[]> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.send(tx, values);
    return asPromise(() => this.sqlite.on(connection).all(values));
  }

  /**
   * The rows up to the first that is told to be enough. On PostgreSQL the statement itself has to end there: it comes
   * with all rows.
   */
  rowsUntil(tx: Transaction, values: readonly SqlValue[], isEnough: (row: Row) => boolean): Promise<Row[]> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.send(tx, values);
    return asPromise(() => this.sqlite.on(connection).until(values, isEnough));
  }

  first(tx: Transaction, values: readonly SqlValue[]): Promise<Row | undefined> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.send(tx, values).then(([row]) => row);
    return asPromise(() => this.sqlite.on(connection).get(values));
  }

  run(tx: Transaction, values: readonly SqlValue[]): Promise<void> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.send(tx, values).then(() => undefined);
    return asPromise(() => this.sqlite.on(connection).run(values));
  }

  private async send(tx: Transaction, values: readonly SqlValue[]): Promise<Row[]> {
    const client = await postgresClientOf(tx);
    const query = { ...this.query, values };
    const { rows } = await (Pipeline.on(client)?.ask(query) ?? client.query(query));
    // The statement's author says what its rows look like.
    return rows as Row[];
  }
}

/** PostgreSQL numbers its parameters; no text of ours has a `?` in it. */
function numbered(sql: string): string {
  let parameters = 0;
  return sql.replaceAll('?', () => `$${(parameters += 1)}`);
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
