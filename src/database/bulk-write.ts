import { columnsOf } from './lookup.js';
import { askInTurn, type Part, partOf } from './postgres-turn.js';
import { asPromise, connectionOf, SqliteText } from './sqlite-connection.js';
import type { SqlType, SqlValue } from './sql-value.js';
import type { Transaction } from './transaction.js';

/** The columns of rows, in their order, and what PostgreSQL is to take them for. */
export type Columns = Readonly<Record<string, SqlType>>;

/**
 * The same write for many rows. SQLite runs a prepared statement for each of them. PostgreSQL takes all rows in one statement,
 * and all writes that a transaction makes in one turn in one round trip; so they must not depend on each other.
 */
export class BulkWrite {
  private readonly sqlite: SqliteText<never>;
  private readonly part: Part;
  private readonly width: number;
  /** Where in a row the values of SQLite's statement are. */
  private readonly order: readonly number[] | null;

  constructor({ columns, sqlite, postgres }: Description) {
    this.width = Object.keys(columns).length;
    this.sqlite = new SqliteText(sqlite.sql);
    this.order = sqlite.order ?? null;
    this.part = partOf('write', (mark) => postgres(Object.values(columns).map((type) => `${mark()}::${type}[]`)));
  }

  async run(tx: Transaction, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    if (rows.length === 0) return;
    const connection = connectionOf(tx);
    if (connection === undefined) {
      await askInTurn(tx, this.part, columnsOf(this.width, rows));
      return;
    }
    await asPromise(() => {
      // Another write of this turn may have failed, and taken the transaction with it: this one would be committed alone.
      if (!connection.inTransaction) throw new Error('the transaction has ended');
      const statement = this.sqlite.on(connection);
      for (const row of rows) statement.run(this.inOrder(row));
    });
  }

  private inOrder(row: readonly SqlValue[]): readonly SqlValue[] {
    return this.order === null ? row : this.order.map((at) => row[at] ?? null);
  }
}

interface Description {
  readonly columns: Columns;
  readonly sqlite: { readonly sql: string; readonly order?: readonly number[] };
  /** @param arrays one for each column, as PostgreSQL writes them */
  readonly postgres: (arrays: readonly string[]) => string;
}

/** Rows of all columns that are given. */
export function bulkInsert(table: string, columns: Columns): BulkWrite {
  const names = Object.keys(columns);
  const into = `INSERT INTO ${table} (${names.join(', ')})`;
  return new BulkWrite({
    columns,
    sqlite: { sql: `${into} VALUES (${marks(names)})` },
    postgres: (arrays) => `${into} SELECT * FROM ${unnest(arrays)}`,
  });
}

/**
 * New values for rows that are there, given whole, the key first. PostgreSQL finds them by the key's index, whatever it
 * thinks of the table, because they look to it like rows that would be inserted.
 */
export function bulkUpdate(table: string, key: Columns, others: Columns): BulkWrite {
  const keys = Object.keys(key);
  const names = Object.keys(others);
  const set = names.map((name) => `${name} = ?`).join(', ');
  const setExcluded = names.map((name) => `${name} = excluded.${name}`).join(', ');
  return new BulkWrite({
    columns: { ...key, ...others },
    sqlite: {
      sql: `UPDATE ${table} SET ${set} WHERE ${keys.map((name) => `${name} = ?`).join(' AND ')}`,
      order: [...names.map((_, at) => keys.length + at), ...keys.keys()],
    },
    postgres: (arrays) =>
      `INSERT INTO ${table} (${[...keys, ...names].join(', ')}) SELECT * FROM ${unnest(arrays)}` +
      ` ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${setExcluded}`,
  });
}

/** The rows that have the keys. */
export function bulkDelete(table: string, key: Columns): BulkWrite {
  const keys = Object.keys(key);
  const found = keys.map((name, at) => `t.${name} = k.k${at + 1}`).join(' AND ');
  const columns = keys.map((_, at) => `k${at + 1}`).join(', ');
  return new BulkWrite({
    columns: key,
    sqlite: { sql: `DELETE FROM ${table} WHERE ${keys.map((name) => `${name} = ?`).join(' AND ')}` },
    postgres: (arrays) =>
      `DELETE FROM ${table} WHERE ctid = ANY (ARRAY (SELECT f.ctid FROM ${unnest(arrays)} AS k (${columns})` +
      ` CROSS JOIN LATERAL (SELECT t.ctid FROM ${table} t WHERE ${found} OFFSET 0) f))`,
  });
}

/** The rows whose columns are the arrays. */
export function unnest(arrays: readonly string[]): string {
  return `unnest(${arrays.join(', ')})`;
}

function marks(names: readonly string[]): string {
  return names.map(() => '?').join(', ');
}
