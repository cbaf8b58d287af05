import { nextTurnOfChange } from '../../common/waiting/event-loop-turns.js';
import { Slices } from '../../common/waiting/slices.js';
import { askInTurn, type Part, partOf } from '../postgres/postgres-turn.js';
import { asPromise, connectionOf, isStaged, SqliteText } from '../sqlite/sqlite-connection.js';
import { octetsOfTexts } from './row-octets.js';
import type { SqlType, SqlValue } from '../transaction.js';
import type { Transaction } from '../transaction.js';

/** From this number of keys on, SQLite gets all in one statement. */
const MANY = 20;
const KEYS_OF_FIRST_PORTION = 32;
/** Approximate. */
const OCTETS_OF_PORTION = 2 ** 20;

/** Reads rows by many keys. On PostgreSQL, all lookups of a turn share a statement and a round trip. */
export class Lookup<Row> {
  private readonly sqlite: SqliteText<Row>;
  private readonly sqliteMany: SqliteText<Row> | null;
  private readonly part: Part;
  private readonly width: number;

  /**
   * @param sql has a `?` for each value that all keys share (text), then one for each column of a key
   * @param forPostgres for example with row locks: lookups of the same turn then see the rows locked
   * @param forMany for many keys on SQLite: one `?` for all keys, as in `amongKeys`
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

  first(tx: Transaction, key: readonly SqlValue[]): Promise<Row | undefined> {
    const connection = connectionOf(tx);
    if (connection === undefined) return this.rows(tx, [], [key]).then(([row]) => row);
    return asPromise(() => this.sqlite.on(connection).get(key));
  }

  /** Grouped by key; duplicate keys may return duplicate rows. */
  async rows(tx: Transaction, common: readonly string[], keys: readonly (readonly SqlValue[])[]): Promise<Row[]> {
    if (keys.length === 0) return [];
    const connection = connectionOf(tx);
    if (connection === undefined) {
      const rows = await askInTurn(tx, this.part, columnsOf(this.width, keys, common));
      return rows as Row[];
    }
    return asPromise(() => {
      if (this.sqliteMany !== null && keys.length >= MANY && !isStaged(connection))
        return this.sqliteMany.on(connection).all([...common, arrayOf(keys)]);
      const statement = this.sqlite.on(connection);
      return keys.flatMap((values) => statement.all([...common, ...values]));
    });
  }

  /** For rows of up to 180 KiB: other requests get the event loop between portions. */
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

/** After a column: is among the values of a JSON array. */
export const AMONG = 'IN (SELECT value FROM json_each(?))';
/** With an array, PostgreSQL looks up each value, whatever table size it estimates. */
export const AMONG_ON_POSTGRES = '= ANY (ARRAY(SELECT json_array_elements_text(?::json)))';
export const AMONG_NUMBERS_ON_POSTGRES = '= ANY (ARRAY(SELECT json_array_elements_text(?::json)::bigint))';

/** SQLite takes half the time of separate searches. */
export function amongKeys(...columns: readonly string[]): string {
  const [first] = columns;
  if (columns.length === 1) return `${first} ${AMONG}`;
  const values = columns.map((_, at) => `value ->> ${at}`);
  return `(${columns.join(', ')}) IN (SELECT ${values.join(', ')} FROM json_each(?))`;
}

/**
 * Without statistics, PostgreSQL may use any index that begins with the zone, and would scan the zone for each row.
 * Only one index provides the order by the last column, unless a condition fixes that column to one value.
 */
export function hasWholeKey(key: readonly (readonly [column: string, value: string])[]): string {
  const last = key.at(-1);
  if (key.length < 2 || last === undefined) return key.map(([column, value]) => `${column} = ${value}`).join(' AND ');
  const before = key.slice(0, -1).map(([column, value]) => `${column} = ${value} AND `);
  const [column, value] = last;
  return `${before.join('')}${column} >= ${value} AND ${column} <= ${value} ORDER BY ${column}`;
}

/** In a lookup, for a key that begins with `columns`. */
export function hasLookedUpKey(...columns: readonly string[]): string {
  return hasWholeKey(columns.map((column, at) => [column, `k.k${at + 1}`]));
}

function arrayOf(keys: readonly (readonly SqlValue[])[]): string {
  return JSON.stringify(keys.map((key) => (key.length === 1 ? key[0] : key)));
}

/** One prepared statement takes any number of rows as arrays. @param common values that all rows begin with */
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

/** OFFSET 0 forces one index search for each key. */
function forKeys(sql: string, types: readonly SqlType[], mark: () => string, wanted: string): string {
  let at = 0;
  const text = sql.replaceAll('?', () => `k.k${(at += 1)}`);
  const columns = types.map((_, column) => `k${column + 1}`).join(', ');
  const arrays = types.map((type) => `${mark()}::${type}[]`).join(', ');
  return `SELECT ${wanted} FROM unnest(${arrays}) WITH ORDINALITY AS k (${columns}, n) CROSS JOIN LATERAL (${text} OFFSET 0) r`;
}
