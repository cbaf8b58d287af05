import { type SearchClient, inSearchTurns } from '../../common/waiting/search-turns.js';
import type { Reads } from '../reads.js';
import { compareEntries, FirstEntries, type ListCursor } from './found-page.js';
import { type ColumnKind, sortKeyOf } from './column-kinds.js';
import { columnsOfKey, type ListWalk, type MovedRows, type SortedRow } from './filtered-pages.js';
import type { SqlValue } from '../transaction.js';
import { strides } from './strides.js';
import { backwards, STRIDE, walked } from './walk.js';

/** SQL here must never come from a client. */
export interface NumberedQuery {
  /** Unique; breaks ties. */
  readonly id: string;
  readonly sort: NumberedSort;
  readonly offset: number;
  readonly limit: number;
  /** Entries have one of the wanted values; others are only counted. */
  readonly group?: { readonly sql: string; readonly wanted: ReadonlySet<string> | null };
  /** Otherwise, counts only up to the end of the page. Counting ends behind `MOST_COUNTED` entries and the page. */
  readonly counts: boolean;
  readonly searchClient: SearchClient;
}

export interface NumberedSort {
  readonly sql: string;
  readonly kind: ColumnKind;
  readonly isDescending: boolean;
  /** Whether the walks have this order, forwards or backwards. */
  readonly isInOrder: boolean;
}

export interface NumberedPage {
  readonly ids: readonly string[];
  readonly hasNext: boolean;
  /** `null` if not requested. */
  readonly counts: ListCounts | null;
}

export interface ListCounts {
  readonly total: number;
  /** Otherwise, there are more. */
  readonly isTotalExact: boolean;
  /** Entries counted in each group, also in unwanted ones. */
  readonly byGroup: ReadonlyMap<string, number>;
  readonly areGroupsExact: boolean;
}

/** Counting a million entries would take seconds. */
const MOST_COUNTED = 10_000;

interface WalkedRow {
  readonly id: string;
  readonly key: SqlValue;
  readonly groupKey: string;
}

/**
 * Reads rows in portions. Of the rows before the page it keeps only the keys, and nothing if they come in order.
 * @throws ServiceError `unavailable` for a slow search, or a client that has left
 */
export async function numberedPage(
  reads: Reads,
  walks: readonly ListWalk[],
  query: NumberedQuery,
): Promise<NumberedPage> {
  const { group } = query;
  const kept = query.counts && (group?.wanted ?? null) === null ? await keptTotal(walks) : null;
  if (kept === null) return searchedPage(reads, walks, query);
  const page = await searchedPage(reads, walks, { ...query, counts: group !== undefined });
  const counts = page.counts ?? { byGroup: new Map<string, number>(), areGroupsExact: true, isTotalExact: false };
  return { ...page, counts: counts.isTotalExact ? page.counts : { ...counts, total: kept, isTotalExact: true } };
}

async function keptTotal(walks: readonly ListWalk[]): Promise<number | null> {
  let total = 0;
  for (const walk of walks) {
    if (walk.total === undefined || walk.seen !== undefined) return null;
    total += await walk.total();
  }
  return total;
}

async function searchedPage(reads: Reads, walks: readonly ListWalk[], query: NumberedQuery): Promise<NumberedPage> {
  const { id, sort, group, searchClient } = query;
  const [first] = walks;
  if (sort.isInOrder && first?.moved !== undefined) return mergedPage(reads, first, first.moved, query);
  const columns = `${id} AS id, ${sort.sql} AS "key", ${group?.sql ?? "''"} AS "groupKey"`;
  const page = sort.isInOrder ? new PageInOrder(query) : new SortedPage(query);
  const counts = new Map<string, number>();
  const isReversed = sort.isInOrder && sort.isDescending;
  for (const walk of isReversed ? walks.map(backwards).reverse() : walks) {
    const from =
      walk.seen === undefined && group === undefined && !query.counts
        ? await passOver(reads, walk, page, searchClient)
        : null;
    for await (const rows of inSearchTurns(walked<WalkedRow>(reads, walk, columns, from), searchClient)) {
      for (const row of rows) {
        if (query.counts) counts.set(row.groupKey, (counts.get(row.groupKey) ?? 0) + 1);
        if (group?.wanted?.has(row.groupKey) !== false) page.add(row);
      }
      if (!page.isComplete) continue;
      if (!query.counts) return { ...page.end(), counts: null };
      if (page.total > MOST_COUNTED) return { ...page.end(), counts: endedCounts(query, counts) };
    }
  }
  const exact = { total: page.total, isTotalExact: true, byGroup: counts, areGroupsExact: true };
  return { ...page.end(), counts: query.counts ? exact : null };
}

function endedCounts({ offset, limit }: NumberedQuery, byGroup: ReadonlyMap<string, number>): ListCounts {
  return { total: Math.max(MOST_COUNTED, offset + limit), isTotalExact: false, byGroup, areGroupsExact: false };
}

/** Rows that enter the index meanwhile would be counted at both places, or at none. */
export const MOST_TRIES = 5;

/** Of an index that lags behind the rows. */
async function mergedPage(reads: Reads, walk: ListWalk, moved: MovedRows, query: NumberedQuery): Promise<NumberedPage> {
  for (let [read, tries]: [MovedRows, number] = [moved, 1]; ; tries += 1) {
    const page = await pageOfIndex(reads, walk, read.rows, query);
    const now = query.offset < STRIDE || tries === MOST_TRIES ? null : await read.now();
    if (now === null || hasPlacesOf(now, read)) return page;
    read = now;
  }
}

export function hasPlacesOf(now: MovedRows, before: MovedRows): boolean {
  return [...before.rows.values()].every(({ id, place }) => now.rows.get(id)?.place === place);
}

/** Reads no more of the index than strides, and the page. */
async function pageOfIndex(
  reads: Reads,
  walk: ListWalk,
  moved: MovedRows['rows'],
  { sort, offset, limit, searchClient }: NumberedQuery,
): Promise<NumberedPage> {
  const entries = (which: 'key' | 'place'): ListCursor[] =>
    [...moved.values()].flatMap((row) =>
      row[which] === null ? [] : { id: row.id, key: sortKeyOf(sort.kind, row[which]) },
    );
  const compare = orderOf(sort);
  const present = entries('key').sort(compare);
  const directed = sort.isDescending ? backwards(walk) : walk;
  let from: readonly SqlValue[] | null = null;
  let before = 0;
  for await (const { rows, end } of inSearchTurns(strides(reads, directed, offset - present.length), searchClient)) {
    from = end;
    before += rows;
  }
  if (from !== null) {
    const last = { key: sortKeyOf(sort.kind, from[0] ?? null), id: String(from[1]) };
    const isBefore = (entry: ListCursor): boolean => compare(entry, last) <= 0;
    const passed = present.findLastIndex(isBefore) + 1;
    present.splice(0, passed);
    before += passed - entries('place').filter(isBefore).length;
  }
  const found: ListCursor[] = [];
  const end = offset - before + limit + 1;
  const portions = walked<SortedRow>(reads, directed, columnsOfKey(walk), from);
  for await (const rows of inSearchTurns(portions, searchClient)) {
    for (const { id, key } of rows) if (!moved.has(id)) found.push({ id, key: sortKeyOf(sort.kind, key) });
    if (found.length >= end) break;
  }
  const ids = [...found, ...present]
    .sort(compare)
    .slice(offset - before, end)
    .map(({ id }) => id);
  return { ids: ids.slice(0, limit), hasNext: ids.length > limit, counts: null };
}

/** Returns the key of the last skipped row, or `null`. */
async function passOver(
  reads: Reads,
  walk: ListWalk,
  page: GatheredPage,
  searchClient: SearchClient,
): Promise<readonly SqlValue[] | null> {
  let end: readonly SqlValue[] | null = null;
  for await (const stride of inSearchTurns(strides(reads, walk, page.before), searchClient)) {
    page.passOver(stride.rows);
    end = stride.end;
  }
  return end;
}

interface GatheredPage {
  /** How many of the next entries are certainly before the page. */
  readonly before: number;
  readonly total: number;
  readonly isComplete: boolean;
  passOver(rows: number): void;
  add(row: WalkedRow): void;
  end(): Pick<NumberedPage, 'ids' | 'hasNext'>;
}

class PageInOrder implements GatheredPage {
  private readonly ids: string[] = [];
  total = 0;

  constructor(private readonly query: NumberedQuery) {}

  get isComplete(): boolean {
    return this.ids.length > this.query.limit;
  }

  get before(): number {
    return Math.max(0, this.query.offset - this.total);
  }

  passOver(rows: number): void {
    this.total += rows;
  }

  add({ id }: WalkedRow): void {
    this.total += 1;
    // One extra entry tells whether more follow.
    if (this.total > this.query.offset && !this.isComplete) this.ids.push(id);
  }

  end(): Pick<NumberedPage, 'ids' | 'hasNext'> {
    return { ids: this.ids.slice(0, this.query.limit), hasNext: this.isComplete };
  }
}

class SortedPage implements GatheredPage {
  private readonly first: FirstEntries;
  readonly isComplete = false;
  /** Any entry may be on the page. */
  readonly before = 0;
  total = 0;

  constructor(private readonly query: NumberedQuery) {
    const { offset, limit, sort } = query;
    this.first = new FirstEntries(offset + limit + 1, orderOf(sort));
  }

  passOver(rows: number): void {
    this.total += rows;
  }

  add({ id, key }: WalkedRow): void {
    this.total += 1;
    this.first.add({ id, key: sortKeyOf(this.query.sort.kind, key) });
  }

  end(): Pick<NumberedPage, 'ids' | 'hasNext'> {
    const { offset, limit } = this.query;
    const ids = this.first.takeBehind(offset).map(({ id }) => id);
    return { ids: ids.slice(0, limit), hasNext: ids.length > limit };
  }
}

function orderOf({ isDescending }: NumberedSort): (one: ListCursor, other: ListCursor) => number {
  return isDescending ? (one, other) => compareEntries(other, one) : compareEntries;
}
