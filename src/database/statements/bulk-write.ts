import { nextTurnOfChange } from '../../common/waiting/event-loop-turns.js';
import { Slices } from '../../common/waiting/slices.js';
import { columnsOf, hasWholeKey } from './lookup.js';
import { askInTurn, type Part, partOf } from '../postgres/postgres-turn.js';
import { connectionOf, SqliteText, writeOn } from '../sqlite/sqlite-connection.js';
import { SqliteRows } from '../sqlite/sqlite-rows.js';
import { portionsOfRows } from './row-octets.js';
import type { SqlType, SqlValue } from './sql-value.js';
import type { Transaction } from '../transaction.js';

/** A portion of long rows has about so many octets. */
const OCTETS_OF_PORTION = 2 ** 20;

/** The columns of rows, in their order, and what PostgreSQL is to take them for. */
export type Columns = Readonly<Record<string, SqlType>>;

/**
 * The same write for many rows. SQLite runs a prepared statement for each of them. PostgreSQL takes all rows in one statement,
 * also those of several zones, and all writes that a transaction makes in one turn in one round trip; so they must not depend
 * on each other.
 */
export class BulkWrite {
  private readonly sqlite: SqliteText<never>;
  private readonly sqliteMany: SqliteRows | null;
  private readonly part: Part;
  private readonly width: number;
  /** Where in a row the values of SQLite's statement are. */
  private readonly order: readonly number[] | null;

  constructor({ columns, sqlite, postgres }: Description) {
    this.width = Object.keys(columns).length;
    this.sqlite = new SqliteText(sqlite.sql);
    this.sqliteMany = sqlite.many ?? null;
    this.order = sqlite.order ?? null;
    this.part = partOf('write', (mark) => postgres(Object.values(columns).map((type) => `${mark()}::${type}[]`)));
  }

  /**
   * Writes rows that may have 360 KiB each, portion by portion, between which other requests have the event loop.
   * @param rows each made when it is written
   */
  async runLong(tx: Transaction, rows: Iterable<readonly SqlValue[]>): Promise<void> {
    const slices = new Slices(nextTurnOfChange);
    for (const { rows: portion, octets } of portionsOfRows(rows, OCTETS_OF_PORTION)) {
      await this.run(tx, portion);
      if (octets >= OCTETS_OF_PORTION || slices.isOver(octets)) await slices.pause();
    }
  }

  async run(tx: Transaction, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    if (rows.length === 0) return;
    const connection = connectionOf(tx);
    if (connection === undefined) {
      await askInTurn(tx, this.part, columnsOf(this.width, rows));
      return;
    }
    await writeOn(connection, () => {
      const written = this.sqliteMany?.insert(connection, rows) ?? 0;
      const statement = this.sqlite.on(connection);
      for (let at = written; at < rows.length; at += 1) statement.run(this.inOrder(rows[at] ?? []));
    });
  }

  private inOrder(row: readonly SqlValue[]): readonly SqlValue[] {
    return this.order === null ? row : this.order.map((at) => row[at] ?? null);
  }
}

interface Description {
  readonly columns: Columns;
  readonly sqlite: {
    readonly sql: string;
    /** The same for many rows. */
    readonly many?: SqliteRows;
    readonly order?: readonly number[];
  };
  /** @param arrays one for each column, as PostgreSQL writes them */
  readonly postgres: (arrays: readonly string[]) => string;
}

/** Rows of all columns that are given. */
export function bulkInsert(table: string, columns: Columns): BulkWrite {
  const names = Object.keys(columns);
  const into = `INSERT INTO ${table} (${names.join(', ')})`;
  return new BulkWrite({
    columns,
    sqlite: { sql: `${into} VALUES (${names.map(() => '?').join(', ')})`, many: new SqliteRows(into, names.length) },
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
      sql: `UPDATE ${table} SET ${set} WHERE ${hasKey(key)}`,
      order: othersFirst(keys, names),
    },
    postgres: (arrays) =>
      `INSERT INTO ${table} (${[...keys, ...names].join(', ')}) SELECT * FROM ${unnest(arrays)}` +
      ` ON CONFLICT (${keys.join(', ')}) DO UPDATE SET ${setExcluded}`,
  });
}

/** New values for some columns of rows that are there, and are held. */
export function bulkPatch(table: string, key: Columns, others: Columns): BulkWrite {
  const keys = Object.keys(key);
  const names = Object.keys(others);
  const set = names.map((name) => `${name} = ?`).join(', ');
  const setFound = names.map((name) => `${name} = f.${name}`).join(', ');
  const found = hasWholeKey(keys.map((name) => [`t.${name}`, `k.${name}`]));
  return new BulkWrite({
    columns: { ...key, ...others },
    sqlite: { sql: `UPDATE ${table} SET ${set} WHERE ${hasKey(key)}`, order: othersFirst(keys, names) },
    postgres: (arrays) =>
      `UPDATE ${table} SET ${setFound} FROM (SELECT k.*, r.row_at FROM ${unnest(arrays)} AS k (${[...keys, ...names].join(', ')})` +
      ` CROSS JOIN LATERAL (SELECT t.ctid AS row_at FROM ${table} t WHERE ${found} OFFSET 0) r) f WHERE ${table}.ctid = f.row_at`,
  });
}

/** The rows that have the keys. */
export function bulkDelete(table: string, key: Columns): BulkWrite {
  return new BulkWrite({
    columns: key,
    sqlite: { sql: `DELETE FROM ${table} WHERE ${hasKey(key)}` },
    postgres: (arrays) => `DELETE FROM ${table} WHERE ${isAmong(table, key, arrays)}`,
  });
}

/** The same expressions for columns of the rows that have the keys. */
export function bulkSet(table: string, key: Columns, set: string): BulkWrite {
  return new BulkWrite({
    columns: key,
    sqlite: { sql: `UPDATE ${table} SET ${set} WHERE ${hasKey(key)}` },
    postgres: (arrays) => `UPDATE ${table} SET ${set} WHERE ${isAmong(table, key, arrays)}`,
  });
}

/** An UPDATE of SQLite has its key at the end. */
function othersFirst(keys: readonly string[], others: readonly string[]): number[] {
  return [...others.map((_, at) => keys.length + at), ...keys.keys()];
}

function hasKey(key: Columns): string {
  return Object.keys(key)
    .map((name) => `${name} = ?`)
    .join(' AND ');
}

/** By where the rows are, which is looked up by one search of the index for each key. */
function isAmong(table: string, key: Columns, arrays: readonly string[]): string {
  const names = Object.keys(key);
  const found = hasWholeKey(names.map((name, at) => [`t.${name}`, `k.k${at + 1}`]));
  const columns = names.map((_, at) => `k${at + 1}`).join(', ');
  return (
    `ctid = ANY (ARRAY (SELECT f.ctid FROM ${unnest(arrays)} AS k (${columns})` +
    ` CROSS JOIN LATERAL (SELECT t.ctid FROM ${table} t WHERE ${found} OFFSET 0) f))`
  );
}

/** The rows whose columns are the arrays. */
export function unnest(arrays: readonly string[]): string {
  return `unnest(${arrays.join(', ')})`;
}
