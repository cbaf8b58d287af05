import type { CollectionQuery, CollectionSort } from '../common/collection-query.js';
import { ServiceError } from '../common/service-error.js';
import { isText } from '../common/text.js';
import type { SqlValue } from './sql-value.js';
import { Statement } from './statement.js';
import type { Transaction } from './transaction.js';

/** Where the rows of a list come from. What is SQL here is ours, and never a client's. */
export interface FilteredSource {
  /** Columns, as they stand behind SELECT; one is called `id`. */
  readonly select: string;
  /** What stands behind FROM. */
  readonly from: string;
  /** What the list can be filtered and sorted by, by the names that filters and sort keys have. */
  readonly columns: Readonly<Record<string, FilteredColumn>>;
  /** The column that tells each row from the others. */
  readonly id: string;
}

export interface FilteredColumn {
  readonly sql: string;
  /** Text without regard to ASCII case, a number by its digits, or the very text; `*` is no wildcard in the last. */
  readonly kind: 'text' | 'number' | 'exact';
  /** Rows without a value stand first. */
  readonly isNullable?: boolean;
}

/** What must be true of a row, with a `?` for each value. */
export interface Condition {
  readonly sql: string;
  readonly values: readonly SqlValue[];
}

export interface FilteredPage<Row> {
  readonly rows: readonly Row[];
  /** Whether there are more behind the last of them. */
  readonly hasNext: boolean;
  /** Of all pages. */
  readonly total: number;
}

/** The work of a pattern grows with its length and with that of the text: no client writes longer ones. */
const MAX_PATTERN = 1024;

/** A list that can be filtered, sorted and paged by an id, in SQL on both databases. */
export class FilteredPages<Row extends { readonly id: string }> {
  /** Of what most clients ask for, so that there are few. */
  private readonly prepared = new Map<string, Statement<unknown>>();

  constructor(private readonly source: FilteredSource) {}

  /**
   * @param where all of it holds for each row, as whose it is
   * @throws ServiceError `marker_not_found` when there is no such row, `bad_filter` for a pattern that is too long
   */
  async page(tx: Transaction, where: readonly Condition[], query: CollectionQuery): Promise<FilteredPage<Row>> {
    const conditions = [...where, ...this.conditionsOf(query.filters)];
    const place = query.marker === null ? [] : [await this.behind(tx, where, query.sort, query.marker)];
    const all = [...conditions, ...place];
    // One more than is shown tells whether there is more.
    const found = await this.select<Row>(tx, all, query);
    const rows = found.slice(0, query.limit);
    const hasNext = found.length > rows.length;
    const isAll = !hasNext && query.marker === null;
    return { rows, hasNext, total: isAll ? rows.length : await this.count(tx, conditions, query) };
  }

  private conditionsOf(filters: CollectionQuery['filters']): Condition[] {
    return [...filters].map(([name, value]) => conditionOf(this.columnOf(name), value));
  }

  private columnOf(name: string): FilteredColumn {
    const column = name === 'id' ? { sql: this.source.id, kind: 'exact' as const } : this.source.columns[name];
    if (column === undefined) throw new Error(`the list has no column ${name}`);
    return column;
  }

  /** What is true of the rows behind that one. */
  private async behind(
    tx: Transaction,
    where: readonly Condition[],
    sort: CollectionSort,
    marker: string,
  ): Promise<Condition> {
    const { from, id } = this.source;
    const keys = this.keysOf(sort);
    const conditions = [...where, { sql: `${id} = ?`, values: [marker] }];
    const sql = `SELECT ${keys[0]} AS "key" FROM ${from}${whereOf(conditions)}`;
    const row = await Statement.once<{ readonly key: SqlValue }>(sql, collated(sql)).first(tx, valuesOf(conditions));
    if (row === undefined)
      throw new ServiceError('marker_not_found', 'There is no entry with the id of the marker; begin again without.');
    const comparison = sort.isDescending ? '<' : '>';
    if (keys.length === 1) return { sql: `${id} ${comparison} ?`, values: [marker] };
    return { sql: `(${keys.join(', ')}) ${comparison} (?, ?)`, values: [row.key, marker] };
  }

  /** What rows are sorted by. The id comes last, and is enough where it is what the column is made of. */
  private keysOf({ column }: CollectionSort): readonly [string, ...string[]] {
    const { id } = this.source;
    const found = this.columnOf(column);
    return found.sql === id ? [id] : [keyOf(found), id];
  }

  private select<R>(tx: Transaction, conditions: readonly Condition[], query: CollectionQuery): Promise<R[]> {
    const { select, from } = this.source;
    const direction = query.sort.isDescending ? ' DESC' : '';
    const order = this.keysOf(query.sort)
      .map((key) => `${key}${direction}`)
      .join(', ');
    const sql = `SELECT ${select} FROM ${from}${whereOf(conditions)} ORDER BY ${order} LIMIT ?`;
    return this.statement<R>(sql, query).rows(tx, [...valuesOf(conditions), query.limit + 1]);
  }

  private async count(tx: Transaction, conditions: readonly Condition[], query: CollectionQuery): Promise<number> {
    const sql = `SELECT COUNT(*) AS total FROM ${this.source.from}${whereOf(conditions)}`;
    const row = await this.statement<{ readonly total: number }>(sql, query).first(tx, valuesOf(conditions));
    return row?.total ?? 0;
  }

  /** Prepared for the lists that are asked for again and again: in the order of creation, by one field at most. */
  private statement<R>(sql: string, { filters, sort }: CollectionQuery): Statement<R> {
    if (filters.size > 1 || sort.column !== 'created_at') return Statement.once<R>(sql, collated(sql));
    const known = this.prepared.get(sql) ?? new Statement<unknown>(sql, collated(sql));
    this.prepared.set(sql, known);
    // The text says what the rows look like.
    return known as Statement<R>;
  }
}

/** Says to PostgreSQL that texts are compared octet by octet, as SQLite does it by itself. */
const BYTEWISE_MARK = '/*bytewise*/';

function collated(sql: string): string {
  return sql.replaceAll(BYTEWISE_MARK, 'COLLATE "C"');
}

/** What rows are sorted by; null is below everything. */
function keyOf({ sql, kind, isNullable = false }: FilteredColumn): string {
  if (kind === 'number') return isNullable ? `COALESCE(${sql}, -1)` : sql;
  return `${isNullable ? `COALESCE(${sql}, '')` : sql} ${BYTEWISE_MARK}`;
}

function whereOf(conditions: readonly Condition[]): string {
  return conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => `(${sql})`).join(' AND ')}`;
}

function valuesOf(conditions: readonly Condition[]): SqlValue[] {
  return conditions.flatMap(({ values }) => values);
}

const NOTHING: Condition = { sql: '1 = 0', values: [] };

/**
 * What is true of rows whose column is, or is like, that value.
 * @throws ServiceError `bad_filter` for a pattern that is too long
 */
export function conditionOf({ sql, kind }: FilteredColumn, value: string): Condition {
  // Neither database stores it, and PostgreSQL would not even read it.
  if (!isText(value)) return NOTHING;
  if (kind === 'exact') return { sql: `${sql} = ?`, values: [value] };
  const text = kind === 'number' ? `CAST(${sql} AS TEXT)` : `LOWER(${sql} ${BYTEWISE_MARK})`;
  const wanted = lowerCase(value);
  if (!wanted.includes('*')) return { sql: `${text} = ?`, values: [wanted] };
  if (wanted.length > MAX_PATTERN)
    throw new ServiceError('bad_filter', `A filter with * has at most ${MAX_PATTERN} characters.`);
  return { sql: `${text} LIKE ? ESCAPE '!'`, values: [patternOf(wanted)] };
}

/** `*` is the only wildcard. Several in a row mean what one means, and cost more. */
function patternOf(text: string): string {
  return text.replaceAll(/[!%_]/g, '!$&').replaceAll(/\*+/g, '%');
}

/** Of ASCII alone, as SQLite's LOWER and that of PostgreSQL with the collation C. */
function lowerCase(text: string): string {
  return text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
}
