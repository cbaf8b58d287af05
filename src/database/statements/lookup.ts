import { askInTurn, type Part, partOf } from '../postgres/postgres-turn.js';
import { asPromise, connectionOf, SqliteText } from '../sqlite/sqlite-connection.js';
import type { SqlType, SqlValue } from './sql-value.js';
import type { Transaction } from '../transaction.js';

/**
 * The same read for many keys. SQLite runs a prepared statement for each of them. PostgreSQL takes all keys in one statement,
 * and all lookups that a transaction makes in one turn in one round trip.
 */
export class Lookup<Row> {
  private readonly sqlite: SqliteText<Row>;
  private readonly part: Part;
  private readonly width: number;

  /**
   * @param sql has a `?` for each of the values that all keys have in common, which are text, and then one for each
   *   column of a key
   * @param forPostgres what PostgreSQL is sent instead
   */
  constructor(sql: string, key: readonly SqlType[], forPostgres = sql) {
    this.sqlite = new SqliteText(sql);
    this.width = forPostgres.split('?').length - 1;
    const common = Array<SqlType>(this.width - key.length).fill('text');
    const types = [...common, ...key];
    this.part = partOf('read', (mark, isNumbered) =>
      forKeys(forPostgres, types, mark, isNumbered ? 'k.n AS "key", r.*' : 'r.*'),
    );
  }

  /** The rows of all keys, those of one key together; what a key occurs twice for may come twice. */
  async rows(tx: Transaction, common: readonly string[], keys: readonly (readonly SqlValue[])[]): Promise<Row[]> {
    if (keys.length === 0) return [];
    const connection = connectionOf(tx);
    if (connection === undefined) {
      const rows = await askInTurn(tx, this.part, columnsOf(this.width, keys, common));
      // The statement's author says what its rows look like.
      return rows as Row[];
    }
    return asPromise(() => {
      const statement = this.sqlite.on(connection);
      return keys.flatMap((values) => statement.all([...common, ...values]));
    });
  }

  /** The rows of each key. */
  async rowsByKey(
    tx: Transaction,
    common: readonly string[],
    keys: readonly (readonly SqlValue[])[],
  ): Promise<Row[][]> {
    if (keys.length === 0) return [];
    const connection = connectionOf(tx);
    if (connection !== undefined)
      return asPromise(() => keys.map((values) => this.sqlite.on(connection).all([...common, ...values])));
    const rows = await askInTurn(tx, this.part, columnsOf(this.width, keys, common), true);
    const byKey = keys.map((): Row[] => []);
    for (const row of rows as (Row & { readonly key: number })[]) byKey[row.key - 1]?.push(row);
    return byKey;
  }
}

/**
 * One array for each column: PostgreSQL takes any number of rows in them by the same prepared statement.
 * @param common what all rows begin with
 */
export function columnsOf(
  width: number,
  rows: readonly (readonly SqlValue[])[],
  common: readonly SqlValue[] = [],
): SqlValue[][] {
  return Array.from({ length: width }, (_, column) => {
    const shared = common[column];
    if (shared !== undefined) return rows.map(() => shared);
    return rows.map((row) => row[column - common.length] ?? null);
  });
}

/** OFFSET 0 keeps the planner from joining in another way than by one search of the index for each key. */
function forKeys(sql: string, types: readonly SqlType[], mark: () => string, wanted: string): string {
  let at = 0;
  const text = sql.replaceAll('?', () => `k.k${(at += 1)}`);
  const columns = types.map((_, column) => `k${column + 1}`).join(', ');
  const arrays = types.map((type) => `${mark()}::${type}[]`).join(', ');
  return `SELECT ${wanted} FROM unnest(${arrays}) WITH ORDINALITY AS k (${columns}, n) CROSS JOIN LATERAL (${text} OFFSET 0) r`;
}
