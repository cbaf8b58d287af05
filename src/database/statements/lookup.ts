import { nextTurnOfChange } from '../../common/waiting/event-loop-turns.js';
import { Slices } from '../../common/waiting/slices.js';
import { askInTurn, type Part, partOf } from '../postgres/postgres-turn.js';
import { asPromise, connectionOf, isStaged, SqliteText } from '../sqlite/sqlite-connection.js';
import { octetsOfTexts } from './row-octets.js';
import type { SqlType, SqlValue } from './sql-value.js';
import type { Transaction } from '../transaction.js';

/** Of so many keys SQLite is given all at once, where a lookup says how. */
const MANY = 20;
/** Of rows that may be long, the first portion has those of so many keys. */
const KEYS_OF_FIRST_PORTION = 32;
/** The portions after it have about so many octets. */
const OCTETS_OF_PORTION = 2 ** 20;

/**
 * The same read for many keys. SQLite runs a prepared statement for each of them, or one for all. PostgreSQL takes all keys in one
 * statement, and all lookups that a transaction makes in one turn in one round trip.
 */
export class Lookup<Row> {
  private readonly sqlite: SqliteText<Row>;
  private readonly sqliteMany: SqliteText<Row> | null;
  private readonly part: Part;
  private readonly width: number;

  /**
   * @param sql has a `?` for each of the values that all keys have in common, which are text, and then one for each
   *   column of a key
   * @param forPostgres what PostgreSQL is sent instead, as to take the rows: lookups of the same turn then see them held
   * @param forMany what SQLite is sent for many keys at once: in place of the `?` of a key one for all, as in `amongKeys`
   */
  constructor(sql: string, key: readonly SqlType[], forPostgres = sql, forMany: string | null = null) {
    this.sqlite = new SqliteText(sql);
    this.sqliteMany = forMany === null ? null : new SqliteText(forMany);
    this.width = sql.split('?').length - 1;
    const common = Array<SqlType>(this.width - key.length).fill('text');
    const types = [...common, ...key];
    const kind = forPostgres.includes(' FOR UPDATE') ? 'lock' : 'read';
    this.part = partOf(kind, (mark, isNumbered) =>
      forKeys(forPostgres, types, mark, isNumbered ? 'k.n AS "key", r.*' : 'r.*'),
    );
  }

  /** The first row of one key. */
  first(tx: Transaction, key: readonly SqlValue[]): Promise<Row | undefined> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.rows(tx, [], [key]).then(([row]) => row);
    return asPromise(() => this.sqlite.on(connection).get(key));
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
      if (this.sqliteMany !== null && keys.length >= MANY && !isStaged(connection))
        return this.sqliteMany.on(connection).all([...common, arrayOf(keys)]);
      const statement = this.sqlite.on(connection);
      return keys.flatMap((values) => statement.all([...common, ...values]));
    });
  }

  /**
   * The same of rows that may have 180 KiB each: portion by portion, between which other requests have the event loop. How
   * many keys a portion has follows from the rows of the portions before.
   */
  async longRows(tx: Transaction, common: readonly string[], keys: readonly (readonly SqlValue[])[]): Promise<Row[]> {
    if (keys.length <= KEYS_OF_FIRST_PORTION) return this.rows(tx, common, keys);
    const slices = new Slices(nextTurnOfChange);
    const rows: Row[] = [];
    let octets = 0;
    for (let from = 0, size = KEYS_OF_FIRST_PORTION; from < keys.length;) {
      const portion = await this.rows(tx, common, keys.slice(from, from + size));
      const read = octetsOfTexts(portion);
      octets += read;
      from += size;
      size = Math.max(1, Math.floor((OCTETS_OF_PORTION * Math.min(from, keys.length)) / Math.max(1, octets)));
      for (const row of portion) rows.push(row);
      if (slices.isOver(read)) await slices.pause();
    }
    return rows;
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

/** The condition that columns have one of the keys of a lookup, in SQLite. It takes half the time of one search after the other. */
export function amongKeys(...columns: readonly string[]): string {
  const [first] = columns;
  if (columns.length === 1) return `${first} IN (SELECT value FROM json_each(?))`;
  const values = columns.map((_, at) => `value ->> ${at}`);
  return `(${columns.join(', ')}) IN (SELECT ${values.join(', ')} FROM json_each(?))`;
}

/**
 * The condition, and the order, of the one row that has a key, for PostgreSQL. While it has no statistics of a table, any index
 * that begins with the zone looks as good to it as that of the whole key, and it would go through the zone for each row. Only one
 * index has the rows in the order of the last column, as far as that is not said to be one value.
 */
export function hasWholeKey(key: readonly (readonly [column: string, value: string])[]): string {
  const last = key.at(-1);
  if (key.length < 2 || last === undefined) return key.map(([column, value]) => `${column} = ${value}`).join(' AND ');
  const before = key.slice(0, -1).map(([column, value]) => `${column} = ${value} AND `);
  const [column, value] = last;
  return `${before.join('')}${column} >= ${value} AND ${column} <= ${value} ORDER BY ${column}`;
}

/** The same in a lookup, of a row that has `columns` as the first values of its key. */
export function hasLookedUpKey(...columns: readonly string[]): string {
  return hasWholeKey(columns.map((column, at) => [column, `k.k${at + 1}`]));
}

/** Keys as `amongKeys` takes them. */
function arrayOf(keys: readonly (readonly SqlValue[])[]): string {
  return JSON.stringify(keys.map((key) => (key.length === 1 ? key[0] : key)));
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
