import type { SqlValue } from '../transaction.js';
import { nameQuery, postgresClientOf, type PostgresQuery } from '../postgres/postgres-client.js';
import { Pipeline } from '../postgres/postgres-pipeline.js';
import { asPromise, connectionOf, SqliteText } from '../sqlite/sqlite-connection.js';
import type { Transaction } from '../transaction.js';

/**
 * One SQL statement with `?` for its values, prepared once on each connection. Costs a fifth of `save()` and the query
 * builder. Rows have the column names of the statement.
 */
export class Statement<Row = never> {
  private readonly sqlite: SqliteText<Row>;
  private query: PostgresQuery;

  /**
   * @param forPostgres the variant for PostgreSQL: to lock rows, where SQLite's one lock holds the file, or without an
   * index hint that only SQLite needs, because it has no row statistics
   */
  constructor(sql: string, forPostgres = sql) {
    this.sqlite = new SqliteText(sql);
    this.query = nameQuery(numbered(forPostgres));
  }

  /** For SQL with an unlimited number of variants: PostgreSQL keeps named statements until the connection ends. */
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

  /** Stops at the first row for which `isEnough` is true. On PostgreSQL, the statement itself needs a limit. */
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
    return rows as Row[];
  }
}

/** No SQL text here contains a literal `?`. */
function numbered(sql: string): string {
  let parameters = 0;
  return sql.replaceAll('?', () => `$${(parameters += 1)}`);
}

/** A statement with any number of values in an `IN (…)`: one prepared statement for each number. */
export class ManyStatement<Row> {
  private readonly statements = new Map<number, Statement<Row>>();

  /** `sql` builds the statement from one `?` for each value; `forPostgres` is as for `Statement`. */
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
