import { nextTurnOfChange } from '../../common/waiting/event-loop-turns.js';
import { Slices } from '../../common/waiting/slices.js';
import { contentsOf } from './contents-id.js';
import { columnsOf, hasWholeKey } from './lookup.js';
import { askInTurn, type Part, partOf } from '../postgres/postgres-turn.js';
import { connectionOf, SqliteText, writeOn } from '../sqlite/sqlite-connection.js';
import { SqliteRows } from '../sqlite/sqlite-rows.js';
import { portionsOfRows } from './row-octets.js';
import type { SqlType, SqlValue } from '../transaction.js';
import type { Transaction } from '../transaction.js';

/** Approximate. */
const OCTETS_OF_PORTION = 2 ** 20;
/** Assumed, since a deletion passes the key alone, and SQLite reads all pages of a long row. */
const OCTETS_OF_STORED_ROW = 4096;

/** `contents`: given as a zone id (`contentsOf`). */
export type Columns = Readonly<Record<string, SqlType | 'contents'>>;

const markOf = (type: Columns[string] | undefined, mark = '?'): string =>
  type === 'contents' ? contentsOf(mark) : mark;

type Property<Column extends string> = Column extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Property<Rest>>}`
  : Column;

/** The value of the column `zone_id` is in `zoneId`. */
type RowOf<C extends Columns> = { readonly [Column in keyof C & string as Property<Column>]: SqlValue };

/**
 * Writes many rows: one statement each on SQLite, one for all on PostgreSQL, where all writes of a turn share a round
 * trip. So they must not depend on each other.
 */
export class BulkWrite<C extends Columns = Columns> {
  private readonly sqlite: SqliteText<never>;
  private readonly sqliteMany: SqliteRows | null;
  private readonly part: Part;
  private readonly properties: readonly string[];
  /** Positions in a row of SQLite's parameters. */
  private readonly order: readonly number[] | null;

  constructor({ columns, sqlite, postgres }: Description<C>) {
    this.properties = Object.keys(columns).map(propertyOf);
    this.sqlite = new SqliteText(sqlite.sql);
    this.sqliteMany = sqlite.many ?? null;
    this.order = sqlite.order ?? null;
    this.part = partOf('write', (mark) =>
      postgres(Object.values(columns).map((type) => `${mark()}::${type === 'contents' ? 'text' : type}[]`)),
    );
  }

  /** For rows of up to 360 KiB: other requests get the event loop between portions. @param rows created one by one */
  async runLong(tx: Transaction, rows: Iterable<readonly SqlValue[]>): Promise<void> {
    const slices = new Slices(nextTurnOfChange);
    for (const { rows: portion, octets } of portionsOfRows(rows, OCTETS_OF_PORTION)) {
      await this.run(tx, portion);
      if (octets >= OCTETS_OF_PORTION || slices.isOver(octets)) await slices.pause();
    }
  }

  runAll(tx: Transaction, rows: readonly RowOf<C>[]): Promise<void> {
    const values = rows.map((row: Readonly<Record<string, SqlValue>>) =>
      this.properties.map((property) => row[property] ?? null),
    );
    return this.run(tx, values);
  }

  async run(tx: Transaction, rows: readonly (readonly SqlValue[])[]): Promise<void> {
    if (rows.length === 0) return;
    const connection = connectionOf(tx);
    if (connection === undefined) {
      await askInTurn(tx, this.part, columnsOf(this.properties.length, rows));
      return;
    }
    const slices = new Slices(nextTurnOfChange);
    let at = 0;
    const writeSlice = (): void => {
      if (at === 0) at = this.sqliteMany?.insert(connection, rows) ?? 0;
      const statement = this.sqlite.on(connection);
      for (; at < rows.length; at += 1) {
        if (slices.isOver(OCTETS_OF_STORED_ROW)) return;
        statement.run(this.inOrder(rows[at] ?? []));
      }
    };
    await writeOn(connection, writeSlice);
    while (at < rows.length) {
      await slices.pause();
      await writeOn(connection, writeSlice);
    }
  }

  private inOrder(row: readonly SqlValue[]): readonly SqlValue[] {
    return this.order === null ? row : this.order.map((at) => row[at] ?? null);
  }
}

interface Description<C extends Columns> {
  readonly columns: C;
  readonly sqlite: {
    readonly sql: string;
    readonly many?: SqliteRows;
    readonly order?: readonly number[];
  };
  /** @param arrays one for each column */
  readonly postgres: (arrays: readonly string[]) => string;
}

export function bulkInsert<C extends Columns>(
  table: string,
  columns: C,
  onConflict = '',
  /** On SQLite. */
  verb: 'INSERT' | 'INSERT OR REPLACE' = 'INSERT',
): BulkWrite<C> {
  const names = Object.keys(columns);
  const rest = `INTO ${table} (${names.join(', ')})`;
  const into = `${verb} ${rest}`;
  return new BulkWrite({
    columns,
    sqlite: {
      sql: `${into} VALUES (${names.map((name) => markOf(columns[name])).join(', ')}) ${onConflict}`,
      ...(onConflict === '' && {
        many: new SqliteRows(
          into,
          Object.values(columns).map((type) => (mark) => markOf(type, mark)),
        ),
      }),
    },
    postgres: (arrays) => `INSERT ${rest} SELECT * FROM ${unnest(arrays)} ${onConflict}`,
  });
}

/** Creates or replaces rows. */
export function bulkUpsert<K extends Columns, O extends Columns>(table: string, key: K, others: O): BulkWrite<K & O> {
  return bulkInsert(table, { ...key, ...others }, replaceOnConflict(key, others));
}

/** Replaces rows, the key first. An upsert, since PostgreSQL then uses the key's index regardless of statistics. */
export function bulkUpdate<K extends Columns, O extends Columns>(table: string, key: K, others: O): BulkWrite<K & O> {
  const keys = Object.keys(key);
  const names = Object.keys(others);
  const set = names.map((name) => `${name} = ?`).join(', ');
  return new BulkWrite({
    columns: { ...key, ...others },
    sqlite: {
      sql: `UPDATE ${table} SET ${set} WHERE ${hasKey(key)}`,
      order: othersFirst(keys, names),
    },
    postgres: (arrays) =>
      `INSERT INTO ${table} (${[...keys, ...names].join(', ')}) SELECT * FROM ${unnest(arrays)} ` +
      replaceOnConflict(key, others),
  });
}

/** For existing, locked rows. */
export function bulkPatch<K extends Columns, O extends Columns>(table: string, key: K, others: O): BulkWrite<K & O> {
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

export function bulkDelete<K extends Columns>(table: string, key: K): BulkWrite<K> {
  return new BulkWrite({
    columns: key,
    sqlite: { sql: `DELETE FROM ${table} WHERE ${hasKey(key)}` },
    postgres: (arrays) => `DELETE FROM ${table} WHERE ${isAmong(table, key, arrays)}`,
  });
}

export function bulkSet<K extends Columns>(table: string, key: K, set: string): BulkWrite<K> {
  return new BulkWrite({
    columns: key,
    sqlite: { sql: `UPDATE ${table} SET ${set} WHERE ${hasKey(key)}` },
    postgres: (arrays) => `UPDATE ${table} SET ${set} WHERE ${isAmong(table, key, arrays)}`,
  });
}

function replaceOnConflict(key: Columns, others: Columns): string {
  const set = Object.keys(others).map((name) => `${name} = excluded.${name}`);
  return `ON CONFLICT (${Object.keys(key).join(', ')}) DO UPDATE SET ${set.join(', ')}`;
}

function propertyOf(column: string): string {
  return column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());
}

/** SQLite's UPDATE has its key at the end. */
function othersFirst(keys: readonly string[], others: readonly string[]): number[] {
  return [...others.map((_, at) => keys.length + at), ...keys.keys()];
}

function hasKey(key: Columns): string {
  return Object.entries(key)
    .map(([name, type]) => `${name} = ${markOf(type)}`)
    .join(' AND ');
}

/** By row position, found by one index search for each key. */
function isAmong(table: string, key: Columns, arrays: readonly string[]): string {
  const names = Object.keys(key);
  const found = hasWholeKey(names.map((name, at) => [`t.${name}`, `k.k${at + 1}`]));
  const columns = names.map((_, at) => `k${at + 1}`).join(', ');
  return (
    `ctid = ANY (ARRAY (SELECT f.ctid FROM ${unnest(arrays)} AS k (${columns})` +
    ` CROSS JOIN LATERAL (SELECT t.ctid FROM ${table} t WHERE ${found} OFFSET 0) f))`
  );
}

export function unnest(arrays: readonly string[]): string {
  return `unnest(${arrays.join(', ')})`;
}
