import type { Reads } from '../reads.js';
import { postgresClientOf, rollBackQuietly } from '../postgres/postgres-client.js';
import { connectionOf } from '../sqlite/sqlite-connection.js';
import type { SqlValue } from './sql-value.js';
import { Statement } from './statement.js';
import type { Transaction } from '../transaction.js';

/** What must be true of a row, with a `?` for each value. */
export interface WhereClause {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

/** A way through the rows of a list that an index leads along, so that a portion of them costs what it has in it. */
export interface Walk {
  /** What stands behind FROM, with `indexedBy` behind the table that leads. */
  readonly from: string;
  /** The first columns of the index, each as one value. */
  readonly where?: WhereClause;
  /** The columns of the index behind those, up to one that tells each row from the others. */
  readonly key: readonly KeyColumn[];
  /** Whether the index is read from its end on. */
  readonly isBackwards?: boolean;
  /** What is true of the rows that the caller sees, where the index leads to others too. */
  readonly seen?: WhereClause;
}

interface KeyColumn {
  readonly sql: string;
  /** A value below all of the column. */
  readonly lowest: SqlValue;
  /** A value above all of the column. */
  readonly highest: SqlValue;
  /** Whether the index has an expression there, and no column. */
  readonly isExpression?: boolean;
}

export const textKey = (sql: string): KeyColumn => ({ sql, lowest: '', highest: '\u{10ffff}' });
export const numberKey = (sql: string): KeyColumn => ({ sql, lowest: -1, highest: Number.MAX_SAFE_INTEGER });

/** The same rows, the last one first. */
export function backwards<W extends Walk>(walk: W): W {
  return { ...walk, isBackwards: walk.isBackwards !== true };
}

/** How many rows a portion has. */
export const PORTION = 500;
/** In milliseconds: a portion of SQLite, which holds the event loop, ends earlier where its rows take long. */
const LONGEST_PORTION = 10;
/** Portion by portion, a plan that reads whole tables, be it along an index, reads them hundreds of times. */
const BEGIN_IN_KEY_ORDER = [
  'BEGIN READ ONLY',
  ...['sort', 'hashjoin', 'mergejoin'].map((plan) => `SET LOCAL enable_${plan} = off`),
].join('; ');
/** So many rows of an index are passed over at a time. */
const STRIDE = 5000;

/** Which index SQLite is to take: it may have been told, of other rows than there are, that another one is better. */
export function indexedBy(index: string): string {
  return `/*by ${index}*/`;
}

/** One that says to each database what it has to be told. */
export function hinted<Row>(sql: string): Statement<Row> {
  return Statement.once<Row>(...forEachDatabase(sql));
}

/** The same statement with its hints for SQLite, and without them for PostgreSQL. */
export function forEachDatabase(sql: string): [forSqlite: string, forPostgres: string] {
  return [
    sql.replaceAll(HINT, ' INDEXED BY $1').replaceAll(BYTEWISE, ''),
    sql.replaceAll(HINT, '').replaceAll(BYTEWISE, ' COLLATE "C"'),
  ];
}

const HINT = /\/\*by (\w+)\*\//g;
const BYTEWISE = '/*bytewise*/';

/** A text whose order is that of its octets, as an index has it; PostgreSQL has that of the database's language elsewhere. */
export const bytewiseKey = (sql: string): KeyColumn => textKey(sql + BYTEWISE);

/** All rows of a table whose primary key is the column `id`. */
export function wholeTable(table: string): Walk {
  return { from: table + indexedBy(primaryKeyOf(table)), key: [textKey('id')] };
}

/** As SQLite calls the index of a table's primary key. */
export function primaryKeyOf(table: string): string {
  return `sqlite_autoindex_${table}_1`;
}

/**
 * The rows of a walk in its order, portion by portion; each is read by itself, so that they are not of one moment.
 * @param columns as they stand behind SELECT
 * @param from the key of the last row that is left out; `null`: none is
 */
export async function* walked<Row extends object>(
  reads: Reads,
  walk: Walk,
  columns: string,
  from: readonly SqlValue[] | null = null,
): AsyncGenerator<readonly Row[]> {
  const { seen, where } = walk;
  const isSeen = seen === undefined ? '1' : `CASE WHEN ${seen.sql} THEN 1 ELSE 0 END`;
  const selected = `${columns}, ${cursorColumns(walk)}, ${isSeen} AS "isSeen"`;
  const statement = hinted<Row & CursorColumns & { readonly isSeen: number }>(
    `SELECT ${selected} ${behind(walk)} LIMIT ?`,
  );
  const values = [...(seen?.values ?? []), ...(where?.values ?? [])];
  for (let after = from ?? startOf(walk); ;) {
    const portion: SqlValue[] = [...values, ...positionOf(walk, after), PORTION];
    const end = performance.now() + LONGEST_PORTION;
    const isOver = (): boolean => performance.now() > end;
    const rows = await reads.run((tx) => inKeyOrder(tx, () => statement.rowsUntil(tx, portion, isOver)));
    const mayHaveMore = rows.length === PORTION || isOver();
    yield seen === undefined ? rows : rows.filter((row) => row.isSeen === 1);
    const last = rows.at(-1);
    if (last === undefined || !mayHaveMore) return;
    after = cursorOf(walk, last);
  }
}

/** Rows that were passed over, and the key of the last of them. */
interface Stride {
  readonly rows: number;
  readonly end: readonly SqlValue[];
}

/** Passes over the rows of a walk in long strides, as long as one has no more than are left of `most`. */
export async function* strides(reads: Reads, walk: Walk, most = Infinity): AsyncGenerator<Stride> {
  const statement = hinted<CursorColumns>(`SELECT ${cursorColumns(walk)} ${behind(walk)} LIMIT 1 OFFSET ?`);
  const values = walk.where?.values ?? [];
  let after = startOf(walk);
  for (let left = most; left >= STRIDE; left -= STRIDE) {
    const stride = [...values, ...positionOf(walk, after), STRIDE - 1];
    const last = await reads.run((tx) => inKeyOrder(tx, () => statement.first(tx, stride)));
    if (last === undefined) return;
    after = cursorOf(walk, last);
    yield { rows: STRIDE, end: after };
  }
}

/** How many rows a walk has, portion by portion. */
export async function* countedRows(reads: Reads, walk: Walk): AsyncGenerator<number> {
  let after = startOf(walk);
  for await (const { rows, end } of strides(reads, walk)) {
    after = end;
    yield rows;
  }
  const rest = hinted<{ readonly rows: number }>(
    `SELECT COUNT(*) AS rows FROM (SELECT 1 AS one ${behind(walk)} LIMIT ?) portion`,
  );
  const values = [...(walk.where?.values ?? []), ...positionOf(walk, after), STRIDE];
  yield (await reads.run((tx) => inKeyOrder(tx, () => rest.first(tx, values))))?.rows ?? 0;
}

/** The columns of the key, as `cursor0`, `cursor1`. */
type CursorColumns = Readonly<Record<`cursor${number}`, SqlValue>>;

function cursorColumns({ key }: Walk): string {
  return key.map(({ sql }, at) => `${sql} AS "cursor${at}"`).join(', ');
}

function cursorOf({ key }: Walk, row: CursorColumns): SqlValue[] {
  return key.map((_, at) => row[`cursor${at}`] ?? null);
}

/** A key before those of all rows. */
function startOf({ key, isBackwards }: Walk): readonly SqlValue[] {
  return key.map(({ lowest, highest }) => (isBackwards === true ? highest : lowest));
}

/** With a `?` for each value of the condition, and of the position. */
function behind({ from, where, key, isBackwards }: Walk): string {
  const keys = key.map(({ sql }) => sql);
  const [is, direction] = isBackwards === true ? ['<', ' DESC'] : ['>', ''];
  const position =
    key.length === 1 ? `${keys.join()} ${is} ?` : `(${keys.join(', ')}) ${is} (${keys.map(() => '?').join(', ')})`;
  const conditions = [
    ...(where === undefined ? [] : [where.sql]),
    ...(isBoundByFirst(key) ? [`${key[0].sql} ${is}= ?`] : []),
    position,
  ];
  return `FROM ${from} WHERE ${conditions.join(' AND ')} ORDER BY ${keys.map((sql) => sql + direction).join(', ')}`;
}

/** The values of the position in `behind`. */
function positionOf({ key }: Walk, after: readonly SqlValue[]): readonly SqlValue[] {
  return isBoundByFirst(key) ? [...after.slice(0, 1), ...after] : after;
}

/** SQLite begins in an index at a row value only where that has no expression in it; otherwise it would begin at the first row. */
function isBoundByFirst(key: readonly KeyColumn[]): key is readonly [KeyColumn, ...KeyColumn[]] {
  return key.length > 1 && key[0]?.isExpression === true;
}

/**
 * Reads rows in the order that an index has them in, and what belongs to them by its key. PostgreSQL may take what there is
 * for so little that it would sort all of it for each portion; and where it knows how much there is, it would rather join
 * whole tables than look some hundred rows up.
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
