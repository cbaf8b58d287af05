import type { Reads } from '../reads.js';
import { postgresClientOf, rollBackQuietly } from '../postgres/postgres-client.js';
import { connectionOf } from '../sqlite/sqlite-connection.js';
import { AMONG, AMONG_ON_POSTGRES } from './lookup.js';
import { Statement } from './statement.js';
import { type SqlValue } from '../transaction.js';
import type { Transaction } from '../transaction.js';

/** A condition on a row, with a `?` for each value. */
export interface WhereClause {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** Follows an index, so that a portion costs only its own rows. */
export interface Walk {
  /** After FROM, with `indexedBy` after the table whose index is used. */
  readonly from: string;
  /** The first columns of the index, each with one value. */
  readonly where?: WhereClause;
  /** The next columns of the index, up to a unique one. */
  readonly key: readonly KeyColumn[];
  readonly isBackwards?: boolean;
  /** Hides rows of the index that the caller may not see. */
  readonly seen?: WhereClause;
  /** Reads only the rows with these ids, in any order. `key` is the column of the id. */
  readonly among?: () => AsyncIterable<readonly string[]>;
}

interface KeyColumn {
  readonly sql: string;
  readonly lowest: SqlValue;
  readonly highest: SqlValue;
  /** Whether this is an expression in the index, not a column. */
  readonly isExpression?: boolean;
}

export const textKey = (sql: string): KeyColumn => ({ sql, lowest: '', highest: '\u{10ffff}' });
/** Of a `bigint`. */
export const numberKey = (sql: string): KeyColumn => ({ sql, lowest: -1, highest: Number.MAX_SAFE_INTEGER });
/** PostgreSQL refuses a larger value. */
export const integerKey = (sql: string): KeyColumn => ({ ...numberKey(sql), highest: 2 ** 31 - 1 });

export function backwards<W extends Walk>(walk: W): W {
  return { ...walk, isBackwards: walk.isBackwards !== true };
}

export const PORTION = 500;
/** In milliseconds. SQLite blocks the event loop, so a portion with slow rows ends earlier. */
const LONGEST_PORTION = 5;
/** In portions, a plan that reads whole tables reads them hundreds of times. */
const BEGIN_IN_KEY_ORDER = [
  'BEGIN READ ONLY',
  ...['sort', 'hashjoin', 'mergejoin'].map((plan) => `SET LOCAL enable_${plan} = off`),
].join('; ');
export const STRIDE = 5000;

/** SQLite's statistics may be outdated and favor another index. */
export function indexedBy(index: string): string {
  return `/*by ${index}*/`;
}

/**
 * Looks up a row of another table for each row of a walk. Without the fence, PostgreSQL may walk along the other table from
 * its first row, for each portion.
 */
export function lookedUp(table: string, on: string): string {
  return `/*look up ${table} on ${on}*/`;
}

export function hinted<Row>(sql: string): Statement<Row> {
  return Statement.once<Row>(...forEachDatabase(sql));
}

export function forEachDatabase(sql: string): [forSqlite: string, forPostgres: string] {
  return [
    sql
      .replaceAll(HINT, ' INDEXED BY $1')
      .replaceAll(LOOK_UP, ' CROSS JOIN $1 ON $2')
      .replaceAll(BYTEWISE, '')
      .replaceAll('STRPOS(', 'INSTR('),
    sql
      .replaceAll(HINT, '')
      .replaceAll(LOOK_UP, ' CROSS JOIN LATERAL (SELECT * FROM $1 WHERE $2 OFFSET 0) $1')
      .replaceAll(BYTEWISE, ' COLLATE "C"'),
  ];
}

/** Leaves the plan to the database, to find a single row. */
export function unhinted(from: string): string {
  return from.replaceAll(HINT, '').replaceAll(LOOK_UP, ' JOIN $1 ON $2');
}

const HINT = /\/\*by (\w+)\*\//g;
const LOOK_UP = /\/\*look up (\w+) on ([\w. =]+)\*\//g;
const BYTEWISE = '/*bytewise*/';

/** In octet order, with ASCII case alone; PostgreSQL's default is the database's language. */
export const bytewise = (sql: string): string => sql + BYTEWISE;
/** Like its index. */
export const bytewiseKey = (sql: string): KeyColumn => textKey(bytewise(sql));

export function wholeTable(table: string): Walk {
  return { from: table + indexedBy(primaryKeyOf(table)), key: [textKey('id')] };
}

export function primaryKeyOf(table: string): string {
  return `sqlite_autoindex_${table}_1`;
}

/** The seen rows of each portion. @param from the last excluded key; `null`: begin with the first row */
export async function* walked<Row extends object>(
  reads: Reads,
  walk: Walk,
  columns: string,
  from: readonly SqlValue[] | null = null,
): AsyncGenerator<readonly Row[]> {
  if (walk.among !== undefined) {
    yield* rowsAmong<Row>(reads, walk, columns, walk.among());
    return;
  }
  const portions = walk.seen === undefined ? walkedPortions<Row> : seenPortions<Row>;
  for await (const { rows } of portions(reads, walk, columns, from)) yield rows;
}

async function* rowsAmong<Row extends object>(
  reads: Reads,
  { from, where, seen, key }: Walk,
  columns: string,
  portions: AsyncIterable<readonly string[]>,
): AsyncGenerator<readonly Row[]> {
  const conditions = [...(where === undefined ? [] : [where]), ...(seen === undefined ? [] : [seen])];
  const sql = (among: string): string =>
    `SELECT ${columns} FROM ${from} WHERE ${key[0]?.sql} ${among}${conditions.map((one) => ` AND (${one.sql})`).join('')}`;
  const [forSqlite] = forEachDatabase(sql(AMONG));
  const [, forPostgres] = forEachDatabase(sql(AMONG_ON_POSTGRES));
  const statement = Statement.once<Row>(forSqlite, forPostgres);
  const values = conditions.flatMap((one) => one.values);
  for await (const ids of portions) {
    const portion = [JSON.stringify(ids), ...values];
    yield ids.length === 0 ? [] : await reads.run((tx) => inKeyOrder(tx, () => statement.rows(tx, portion)));
  }
}

interface Portion<Row> {
  /** The seen rows. */
  readonly rows: readonly Row[];
  /** Number of rows that were read. */
  readonly read: number;
  /** Key of the last row that was read; `null` if there was none. */
  readonly end: readonly SqlValue[] | null;
}

/** Each portion has its own snapshot. */
export function walkedPortions<Row extends object>(
  reads: Reads,
  walk: Walk,
  columns: string,
  from: readonly SqlValue[] | null,
): AsyncGenerator<Portion<Row>> {
  const sql = `${walkedSql(walk, columns)} LIMIT ${PORTION}`;
  return portionsOf<Row>(reads, walk, hinted(sql), from);
}

/** Lets the database drop the rows that are not seen, in longer portions whose number of rows is unknown. */
function seenPortions<Row extends object>(
  reads: Reads,
  walk: Walk,
  columns: string,
  from: readonly SqlValue[] | null,
): AsyncGenerator<Portion<Row>> {
  const sql = walkedSql(walk, columns);
  const [forSqlite] = forEachDatabase(`SELECT * FROM (${sql}) p WHERE "isSeen" = 1 OR ${IS_TICK} LIMIT ${PORTION}`);
  const [, forPostgres] = forEachDatabase(
    `SELECT * FROM (SELECT p.*, row_number() OVER () AS "at" FROM (${sql} LIMIT ${STRIDE}) p) q` +
      ` WHERE "isSeen" = 1 OR "at" = ${STRIDE} LIMIT ${PORTION}`,
  );
  return portionsOf<Row>(reads, walk, Statement.once(forSqlite, forPostgres), from);
}

/** SQLite can be stopped only at a row that it returns: about every hundredth of those that are not seen. */
const IS_TICK = '(random() & 127) = 0';

function walkedSql(walk: Walk, columns: string): string {
  const isSeen = walk.seen === undefined ? '1' : `CASE WHEN ${walk.seen.sql} THEN 1 ELSE 0 END`;
  return `SELECT ${columns}, ${cursorColumns(walk)}, ${isSeen} AS "isSeen" ${behind(walk)}`;
}

type WalkedColumns = CursorColumns & { readonly isSeen: number; readonly at?: number | string };

async function* portionsOf<Row extends object>(
  reads: Reads,
  walk: Walk,
  statement: Statement<Row & WalkedColumns>,
  from: readonly SqlValue[] | null,
): AsyncGenerator<Portion<Row>> {
  const { seen, where } = walk;
  const values = [...(seen?.values ?? []), ...(where?.values ?? [])];
  for (let after = from ?? startOf(walk); ;) {
    const portion: SqlValue[] = [...values, ...positionOf(walk.key, after)];
    const deadline = performance.now() + LONGEST_PORTION;
    const isOver = (): boolean => performance.now() > deadline;
    const rows = await reads.run((tx) => inKeyOrder(tx, () => statement.rowsUntil(tx, portion, isOver)));
    const last = rows.at(-1);
    const mayHaveMore = rows.length === PORTION || Number(last?.at) === STRIDE || isOver();
    const end = last === undefined ? null : cursorOf(walk, last);
    yield { rows: seen === undefined ? rows : rows.filter((row) => row.isSeen === 1), read: rows.length, end };
    if (end === null || !mayHaveMore) return;
    after = end;
  }
}

export type CursorColumns = Readonly<Record<`cursor${number}`, SqlValue>>;

export function cursorColumns({ key }: Walk): string {
  return key.map(({ sql }, at) => `${sql} AS "cursor${at}"`).join(', ');
}

export function cursorOf({ key }: Walk, row: CursorColumns): SqlValue[] {
  return key.map((_, at) => row[`cursor${at}`] ?? null);
}

export function startOf({ key, isBackwards }: Walk): readonly SqlValue[] {
  return key.map(({ lowest, highest }) => (isBackwards === true ? highest : lowest));
}

/** With a `?` for each value of the condition, and of the position. */
export function behind({ from, where, key, isBackwards }: Walk): string {
  const conditions = [...(where === undefined ? [] : [where.sql]), isBehindSql(key, isBackwards === true)];
  const direction = isBackwards === true ? ' DESC' : '';
  return `FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${key.map(({ sql }) => sql + direction).join(', ')}`;
}

/** With a `?` for each value of `positionOf`. */
export function isBehindSql(key: Walk['key'], isBackwards: boolean): string {
  const keys = key.map(({ sql }) => sql);
  const is = isBackwards ? '<' : '>';
  if (key.length === 1) return `${keys.join()} ${is} ?`;
  const position = `(${keys.join(', ')}) ${is} (${keys.map(() => '?').join(', ')})`;
  return isBoundByFirst(key) ? `${key[0].sql} ${is}= ? AND ${position}` : position;
}

export function positionOf(key: Walk['key'], after: readonly SqlValue[]): readonly SqlValue[] {
  return isBoundByFirst(key) ? [...after.slice(0, 1), ...after] : after;
}

/** SQLite starts in an index at a row value only without an expression; otherwise at the first row. */
function isBoundByFirst(key: readonly KeyColumn[]): key is readonly [KeyColumn, ...KeyColumn[]] {
  return key.length > 1 && key[0]?.isExpression === true;
}

/**
 * With low estimates, PostgreSQL would sort everything for each portion. With correct ones, it would join whole tables
 * instead of looking up some hundred rows.
 */
export async function inKeyOrder<T>(tx: Transaction, read: () => Promise<T>): Promise<T> {
  if (connectionOf(tx) !== undefined) return read();
  const client = await postgresClientOf(tx);
  await client.query(BEGIN_IN_KEY_ORDER);
  try {
    return await read();
  } finally {
    await rollBackQuietly(client);
  }
}

/** RFC 9562 §5.4. */
export const RANDOM_UUID = {
  sqlite:
    "(lower(hex(randomblob(4))) || '-' || lower(hex(randomblob(2))) || '-4' || substr(lower(hex(randomblob(2))), 2) ||" +
    " '-' || substr('89ab', 1 + abs(random() % 4), 1) || substr(lower(hex(randomblob(2))), 2) ||" +
    " '-' || lower(hex(randomblob(6))))",
  postgres: 'gen_random_uuid()::text',
} as const;
