import type { CollectionQuery, CollectionSort } from '../../common/collection-query.js';
import { inSearchTurns } from '../../common/waiting/search-turns.js';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { FoundPage, type ListCursor } from './found-page.js';
import { Lookup } from './lookup.js';
import type { Reads } from '../reads.js';
import type { SqlValue } from '../transaction.js';
import {
  countedRows,
  forEachDatabase,
  hinted,
  inKeyOrder,
  isBehindSql,
  positionOf,
  type Walk,
  walked,
  type WhereClause,
} from './walk.js';
import { TextPattern } from '../../common/text-pattern.js';
import { mayMatchSql } from './text-sql.js';

/** SQL here must never come from a client. */
export interface FilteredSource {
  /** After SELECT; one is named `id`. */
  readonly select: string;
  /** For a look-up by ID. */
  readonly from: string;
  /** By the names in filters and sort keys. */
  readonly columns: Readonly<Record<string, FilteredColumn>>;
  /** Unique. */
  readonly id: string;
}

export interface FilteredColumn {
  readonly sql: string;
  readonly kind: ColumnKind;
}

/** No row is on two walks of a list. */
export interface ListWalk extends Walk {
  /** The SQL column that orders the walk; it ends with the ID. */
  readonly order?: string;
  /** If the number of rows is stored. */
  readonly total?: () => Promise<number>;
}

export interface FilteredPage<Row> {
  readonly rows: readonly Row[];
  readonly hasNext: boolean;
  readonly total: number;
}

const ENTRIES_AT_A_TIME = 100;

/**
 * A list with filters, sorting and pages by ID. Without a fitting index, it reads all rows in portions and sorts them
 * here, so that no statement takes long.
 */
export class FilteredPages<Row extends { readonly id: string }> {
  private readonly entries: Lookup<Row>;

  constructor(private readonly source: FilteredSource) {
    const { select, from, id } = source;
    const [forSqlite, forPostgres] = forEachDatabase(`SELECT ${select} FROM ${from} WHERE ${id} = ?`);
    this.entries = new Lookup<Row>(forSqlite, ['text'], forPostgres);
  }

  /**
   * @param walks lead to all visible rows that match, maybe to others
   * @param seen lead to all visible rows
   * @throws ServiceError `marker_not_found`, `bad_filter` for a long pattern, `unavailable` for a slow search
   */
  async page(
    reads: Reads,
    walks: readonly ListWalk[],
    query: CollectionQuery,
    seen: readonly ListWalk[] = walks,
  ): Promise<FilteredPage<Row>> {
    const tests = [...query.filters].map(([name, wanted]) => {
      const { sql, kind } = this.columnOf(name);
      const mayHold = kind === 'exact' ? null : mayMatchSql(sql, wanted);
      return { sql, holds: testOf(kind, wanted), mayHold };
    });
    const behind = query.marker === null ? null : await this.cursorOf(reads, seen, query.sort, query.marker);
    const { sql } = this.columnOf(query.sort.column);
    const isInOrder = tests.length === 0 && walks.every((walk) => walk.order === sql && walk.seen === undefined);
    const page = isInOrder
      ? await this.inOrder(reads, walks, query, behind)
      : await this.search(reads, walks, query, behind, tests);
    return { rows: await this.rowsOf(reads, page.ids), hasNext: page.hasNext, total: page.total };
  }

  private columnOf(name: string): FilteredColumn {
    const column = name === 'id' ? { sql: this.source.id, kind: 'exact' as const } : this.source.columns[name];
    if (column === undefined) throw new Error(`the list has no column ${name}`);
    return column;
  }

  private async cursorOf(
    reads: Reads,
    walks: readonly ListWalk[],
    { column }: CollectionSort,
    marker: string,
  ): Promise<ListCursor> {
    const { sql, kind } = this.columnOf(column);
    for (const { from, where, seen } of walks) {
      const conditions = [
        ...(where ? [where] : []),
        ...(seen ? [seen] : []),
        { sql: `${this.source.id} = ?`, values: [marker] },
      ];
      const found = hinted<{ readonly key: SqlValue }>(
        `SELECT ${sql} AS "key" FROM ${forEachDatabase(from)[1]} WHERE ${conditions.map((one) => `(${one.sql})`).join(' AND ')}`,
      );
      const values = conditions.flatMap((one) => one.values);
      const row = await reads.run((tx) => found.first(tx, values));
      if (row !== undefined) return { key: sortKeyOf(kind, row.key), id: marker };
    }
    throw new ServiceError(
      'marker_not_found',
      'There is no entry with the id of the marker; begin again without a marker.',
    );
  }

  /** Reads at most one page of each walk, and counts the other rows by the index. */
  private async inOrder(
    reads: Reads,
    walks: readonly ListWalk[],
    query: CollectionQuery,
    behind: ListCursor | null,
  ): Promise<Found> {
    const { sql, kind } = this.columnOf(query.sort.column);
    const page = new FoundPage<ListCursor>(query, null);
    const columns = `${this.source.id} AS id, ${sql} AS "key"`;
    for (const walk of walks) {
      const { text, values } = orderedSql(walk, columns, query.sort.isDescending, behind);
      const statement = hinted<{ readonly id: string; readonly key: SqlValue }>(text);
      const rows = await reads.run((tx) => inKeyOrder(tx, () => statement.rows(tx, [...values, query.limit + 1])));
      for (const { id, key } of rows) page.add({ id, key: sortKeyOf(kind, key) });
    }
    const isAll = !page.hasNext && behind === null;
    return { ...foundOn(page), total: isAll ? page.total : await this.count(reads, walks, query) };
  }

  private async count(reads: Reads, walks: readonly ListWalk[], { searchClient }: CollectionQuery): Promise<number> {
    let total = 0;
    for (const walk of walks) {
      if (walk.total !== undefined) total += await walk.total();
      else for await (const rows of inSearchTurns(countedRows(reads, walk), searchClient)) total += rows;
    }
    return total;
  }

  private async search(
    reads: Reads,
    walks: readonly ListWalk[],
    query: CollectionQuery,
    behind: ListCursor | null,
    tests: readonly ColumnTest[],
  ): Promise<Found> {
    const { sql, kind } = this.columnOf(query.sort.column);
    const page = new FoundPage<ListCursor>(query, behind);
    const compared = [sql, ...tests.map((test) => test.sql)].map((column, at) => `${column} AS c${at}`);
    const columns = `${this.source.id} AS id, ${compared.join(', ')}`;
    for (const whole of walks) {
      const walk = tests.reduce((all, { mayHold }) => (mayHold === null ? all : narrowed(all, mayHold)), whole);
      for await (const rows of inSearchTurns(walked<SearchedRow>(reads, walk, columns), query.searchClient)) {
        for (const row of rows) {
          if (!tests.every(({ holds }, at) => holds(row[`c${at + 1}`] ?? null))) continue;
          page.add({ id: row.id, key: sortKeyOf(kind, row.c0 ?? null) });
        }
      }
    }
    return foundOn(page);
  }

  /** In the order of the IDs; skips rows deleted meanwhile. */
  async rowsOf(reads: Reads, ids: readonly string[]): Promise<Row[]> {
    const rows = new Map<string, Row>();
    for (let from = 0; from < ids.length; from += ENTRIES_AT_A_TIME) {
      if (from > 0) await nextTurn();
      const keys = ids.slice(from, from + ENTRIES_AT_A_TIME).map((id) => [id]);
      for (const row of await reads.run((tx) => this.entries.rows(tx, [], keys))) rows.set(row.id, row);
    }
    return ids.flatMap((id) => rows.get(id) ?? []);
  }
}

export function narrowed({ seen, ...walk }: ListWalk, { sql, values }: WhereClause): ListWalk {
  if (seen === undefined) return { ...walk, seen: { sql, values } };
  return { ...walk, seen: { sql: `(${seen.sql}) AND (${sql})`, values: [...seen.values, ...values] } };
}

interface Found {
  readonly ids: readonly string[];
  readonly hasNext: boolean;
  readonly total: number;
}

interface ColumnTest {
  readonly sql: string;
  readonly holds: (value: SqlValue) => boolean;
  /** True for all rows for which `holds` is, maybe for others. */
  readonly mayHold: WhereClause | null;
}

type SearchedRow = Readonly<Record<`c${number}`, SqlValue>> & { readonly id: string };

function foundOn(page: FoundPage<ListCursor>): Found {
  return { ids: page.entries.map(({ id }) => id), hasNext: page.hasNext, total: page.total };
}

function orderedSql(
  { from, where, key }: ListWalk,
  columns: string,
  isDescending: boolean,
  behind: ListCursor | null,
): { readonly text: string; readonly values: readonly SqlValue[] } {
  const conditions = [
    ...(where === undefined ? [] : [where.sql]),
    ...(behind === null ? [] : [isBehindSql(key, isDescending)]),
  ];
  const direction = isDescending ? ' DESC' : '';
  const cursor = behind === null ? [] : positionOf(key, key.length === 1 ? [behind.id] : [behind.key, behind.id]);
  return {
    text:
      `SELECT ${columns} FROM ${from}${conditions.length === 0 ? '' : ` WHERE ${conditions.join(' AND ')}`}` +
      ` ORDER BY ${key.map(({ sql }) => `${sql}${direction}`).join(', ')} LIMIT ?`,
    values: [...(where?.values ?? []), ...cursor],
  };
}

/** Text ignores ASCII case; numbers compare by their digits. Natural text sorts digits by their value. */
export type ColumnKind = 'text' | 'number' | 'exact' | 'natural';

/** `*` is no wildcard in an exact column. @throws ServiceError `bad_filter` for a long pattern */
export function testOf(kind: ColumnKind, wanted: string): (value: SqlValue) => boolean {
  if (kind === 'exact') return (value) => value === wanted;
  const pattern = new TextPattern(wanted);
  return (value) => value !== null && pattern.matches(String(value));
}

/** null comes first. */
export function sortKeyOf(kind: ColumnKind, value: SqlValue): ListCursor['key'] {
  if (kind === 'number') return Number(value ?? -1);
  const text = String(value ?? '');
  return kind === 'natural' ? text.replace(DIGITS, lengthFirst) : text;
}

const DIGITS = /0*(\d+)/g;

/** `9` becomes `019` and `10` becomes `0210`, which sort by value. Still a digit first, as in the text. */
function lengthFirst(_: string, digits: string): string {
  return `${String(digits.length).padStart(2, '0')}${digits}`;
}
