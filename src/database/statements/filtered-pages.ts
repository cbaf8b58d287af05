import type { CollectionQuery, CollectionSort } from '../../common/collection-query.js';
import { inSearchTurns } from '../../common/waiting/search-turns.js';
import { ServiceError } from '../../common/service-error.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { FoundPage, type ListCursor } from './found-page.js';
import { Lookup } from './lookup.js';
import type { Reads } from '../reads.js';
import type { SqlValue } from '../transaction.js';
import {
  backwards,
  forEachDatabase,
  hinted,
  inKeyOrder,
  isBehindSql,
  positionOf,
  unhinted,
  type Walk,
  walked,
  type WhereClause,
} from './walk.js';
import { countWalk, firstIds } from './strides.js';
import { type ColumnKind, sortKeyOf, testOf } from './column-kinds.js';
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
  /** By ID, if the index lags behind the rows. Its columns are the sort key and the ID. */
  readonly moved?: MovedRows;
}

export interface MovedRows {
  readonly rows: ReadonlyMap<string, MovedRow>;
  /** Reads them again. `null`: too many. */
  readonly now: () => Promise<MovedRows | null>;
}

/** A row that may be elsewhere in the order than in the index. */
export interface MovedRow {
  readonly id: string;
  /** The sort key; `null`: the row is not on the walk. */
  readonly key: SqlValue;
  /** The key in the index. */
  readonly place: SqlValue;
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
    const page = new FoundPage<ListCursor>(query, behind);
    let total = 0;
    for (const walk of walks) total += await this.read(reads, walk, query, { page, behind, tests });
    return {
      rows: await this.rowsOf(
        reads,
        page.entries.map(({ id }) => id),
      ),
      hasNext: page.hasNext,
      total,
    };
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
        `SELECT ${sql} AS "key" FROM ${unhinted(from)} WHERE ${conditions.map((one) => `(${one.sql})`).join(' AND ')}`,
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

  /** Adds the rows of one walk to the page. Returns their number. */
  private async read(reads: Reads, walk: ListWalk, query: CollectionQuery, found: Found): Promise<number> {
    const { sql, kind } = this.columnOf(query.sort.column);
    const { id } = this.source;
    if (found.tests.length > 0) return this.search(reads, walk, query, found);
    if (walk.order === sql && walk.seen === undefined && walk.moved === undefined)
      return this.inOrder(reads, walk, query, found);
    if (walk.order === sql && walk.total !== undefined) return this.amongOthers(reads, walk, walk.total, query, found);
    if (sql === id && kind === 'exact' && walk.seen === undefined && walk.among === undefined)
      return this.byId(reads, walk, query, found);
    return this.search(reads, walk, query, found);
  }

  /** Reads at most one page, and counts the other rows by the index. */
  private async inOrder(
    reads: Reads,
    walk: ListWalk,
    query: CollectionQuery,
    { page, behind }: Found,
  ): Promise<number> {
    const { sql, kind } = this.columnOf(query.sort.column);
    const columns = `${this.source.id} AS id, ${sql} AS "key"`;
    const parts = partsBehind(walk, columns, query.sort.isDescending, behind).map(({ text, values }) => ({
      statement: hinted<SortedRow>(text),
      values,
    }));
    const rows = await reads.run((tx) =>
      inKeyOrder(tx, async () => {
        const found: SortedRow[] = [];
        for (const { statement, values } of parts)
          if (found.length <= query.limit)
            found.push(...(await statement.rows(tx, [...values, query.limit + 1 - found.length])));
        return found;
      }),
    );
    for (const { id, key } of rows) page.add({ id, key: sortKeyOf(kind, key) });
    if (rows.length <= query.limit && behind === null) return rows.length;
    return (await walk.total?.()) ?? (await countWalk(reads, walk, query.searchClient)) ?? 0;
  }

  /** Passes over the unseen rows, up to the end of the page. */
  private async amongOthers(
    reads: Reads,
    walk: ListWalk,
    total: () => Promise<number>,
    { sort, limit, searchClient }: CollectionQuery,
    { page, behind }: Found,
  ): Promise<number> {
    const { sql, kind } = this.columnOf(sort.column);
    const directed = sort.isDescending ? backwards(walk) : walk;
    const from = behind === null ? null : cursorIn(walk.key, behind);
    const moved = walk.moved?.rows;
    const columns = moved === undefined ? `${this.source.id} AS id, ${sql} AS "key"` : columnsOfKey(walk);
    for (const { id, key } of moved?.values() ?? []) if (key !== null) page.add({ id, key: sortKeyOf(kind, key) });
    let missing = limit + 1;
    for await (const read of inSearchTurns(walked<SortedRow>(reads, directed, columns, from), searchClient)) {
      const rows = moved === undefined ? read : read.filter(({ id }) => !moved.has(id));
      for (const { id, key } of rows) page.add({ id, key: sortKeyOf(kind, key) });
      missing -= rows.length;
      if (missing <= 0) break;
    }
    return total();
  }

  /** The database sorts the IDs of long strides. */
  private async byId(reads: Reads, walk: ListWalk, query: CollectionQuery, { page, behind }: Found): Promise<number> {
    const first = { after: behind?.id ?? null, isDescending: query.sort.isDescending, limit: query.limit + 1 };
    let total = 0;
    for await (const { ids, rows } of inSearchTurns(firstIds(reads, walk, this.source.id, first), query.searchClient)) {
      for (const id of ids) page.add({ id, key: id });
      total += rows;
    }
    return total;
  }

  private async search(reads: Reads, whole: ListWalk, query: CollectionQuery, { page, tests }: Found): Promise<number> {
    const { sql, kind } = this.columnOf(query.sort.column);
    const compared = [sql, ...tests.map((test) => test.sql)].map((column, at) => `${column} AS c${at}`);
    const columns = `${this.source.id} AS id, ${compared.join(', ')}`;
    const walk = tests.reduce((all, { mayHold }) => (mayHold === null ? all : narrowed(all, mayHold)), whole);
    let total = 0;
    for await (const rows of inSearchTurns(walked<SearchedRow>(reads, walk, columns), query.searchClient)) {
      for (const row of rows) {
        if (!tests.every(({ holds }, at) => holds(row[`c${at + 1}`] ?? null))) continue;
        total += 1;
        page.add({ id: row.id, key: sortKeyOf(kind, row.c0 ?? null) });
      }
    }
    return total;
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

/** Its total is another one. */
export function narrowed({ seen, total, ...walk }: ListWalk, { sql, values }: WhereClause): ListWalk {
  if (seen === undefined) return { ...walk, seen: { sql, values } };
  return { ...walk, seen: { sql: `(${seen.sql}) AND (${sql})`, values: [...seen.values, ...values] } };
}

/** The page so far. */
interface Found {
  readonly page: FoundPage<ListCursor>;
  readonly behind: ListCursor | null;
  readonly tests: readonly ColumnTest[];
}

interface ColumnTest {
  readonly sql: string;
  readonly holds: (value: SqlValue) => boolean;
  /** True for all rows for which `holds` is, maybe for others. */
  readonly mayHold: WhereClause | null;
}

export interface SortedRow {
  readonly id: string;
  readonly key: SqlValue;
}

export function columnsOfKey({ key }: ListWalk): string {
  return `${key.at(-1)?.sql ?? ''} AS id, ${key[0]?.sql ?? ''} AS "key"`;
}

type SearchedRow = Readonly<Record<`c${number}`, SqlValue>> & { readonly id: string };

function cursorIn(key: ListWalk['key'], { key: value, id }: ListCursor): readonly SqlValue[] {
  return key.length === 1 ? [id] : [value, id];
}

/** The statements that read on behind the cursor, one after the other. Each is without the value of its LIMIT. */
function partsBehind(
  { from, where, key }: ListWalk,
  columns: string,
  isDescending: boolean,
  behind: ListCursor | null,
): readonly { readonly text: string; readonly values: readonly SqlValue[] }[] {
  const direction = isDescending ? ' DESC' : '';
  const parts = behind === null ? [{ condition: null, order: key }] : conditionsBehind(key, isDescending, behind);
  return parts.map(({ condition, order }) => {
    const conditions = [where, condition].flatMap((one) => one ?? []);
    return {
      text:
        `SELECT ${columns} FROM ${from}${conditions.length === 0 ? '' : ` WHERE ${conditions.map(({ sql }) => sql).join(' AND ')}`}` +
        ` ORDER BY ${order.map(({ sql }) => `${sql}${direction}`).join(', ')} LIMIT ?`,
      values: conditions.flatMap(({ values }) => values),
    };
  });
}

interface PartBehind {
  readonly condition: WhereClause;
  readonly order: ListWalk['key'];
}

/** SQLite would read all rows with the same value of an expression up to the cursor, and sort them by it. */
function conditionsBehind(key: ListWalk['key'], isDescending: boolean, behind: ListCursor): readonly PartBehind[] {
  const [first, second] = key;
  if (first?.isExpression !== true || second === undefined) {
    const condition = { sql: isBehindSql(key, isDescending), values: positionOf(key, cursorIn(key, behind)) };
    return [{ condition, order: key }];
  }
  const is = isDescending ? '<' : '>';
  return [
    {
      condition: { sql: `${first.sql} = ? AND ${second.sql} ${is} ?`, values: [behind.key, behind.id] },
      order: [second],
    },
    { condition: { sql: `${first.sql} ${is} ?`, values: [behind.key] }, order: key },
  ];
}
