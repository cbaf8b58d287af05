import { compareOctets } from '../../common/text.js';
import { type SearchClient, inSearchTurns } from '../../common/waiting/search-turns.js';
import type { Reads } from '../reads.js';
import type { ListCursor } from './found-page.js';
import { FirstEntries } from './first-entries.js';
import { type ColumnKind, sortKeyOf } from './list-column.js';
import type { ListWalk } from './filtered-pages.js';
import type { SqlValue } from './sql-value.js';
import { backwards, strides, walked } from './walk.js';

/** Which part of a list is asked for, by the number of the entry that it begins with. What is SQL here is ours. */
export interface NumberedQuery {
  /** The column that tells each row from the others, and breaks ties. */
  readonly id: string;
  readonly sort: NumberedSort;
  /** How many entries are before the page. */
  readonly offset: number;
  readonly limit: number;
  /** Entries of the list have one of these values in this column; those of others are only counted. */
  readonly group?: { readonly sql: string; readonly wanted: ReadonlySet<string> | null };
  /** Whether all entries are counted, and not only those up to the end of the page. */
  readonly counts: boolean;
  readonly searchClient: SearchClient;
}

export interface NumberedSort {
  readonly sql: string;
  readonly kind: ColumnKind;
  readonly isDescending: boolean;
  /** Whether the walks lead along in this order, one after the other, forwards or backwards. */
  readonly isInOrder: boolean;
}

export interface NumberedPage {
  readonly ids: readonly string[];
  readonly hasNext: boolean;
  /** Of all entries; `null` where nobody asked. */
  readonly counts: { readonly total: number; readonly byGroup: ReadonlyMap<string, number> } | null;
}

interface WalkedRow {
  readonly id: string;
  readonly key: SqlValue;
  readonly groupKey: string;
}

/**
 * A page that begins with the entry of a number. The rows of the walks are gone through portion by portion; of those before
 * the page nothing is kept where they come in the order that is asked for, and otherwise their keys.
 * @throws ServiceError `unavailable` for a search that takes too long, or that nobody waits for any more
 */
export async function numberedPage(
  reads: Reads,
  walks: readonly ListWalk[],
  query: NumberedQuery,
): Promise<NumberedPage> {
  const total = query.counts && query.group === undefined ? await keptTotal(walks) : null;
  if (total === null) return searchedPage(reads, walks, query);
  const page = await searchedPage(reads, walks, { ...query, counts: false });
  return { ...page, counts: { total, byGroup: new Map() } };
}

/** `null` where it has to be counted. */
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
      if (page.isComplete && !query.counts) return { ...page.end(), counts: null };
    }
  }
  return { ...page.end(), counts: query.counts ? { total: page.total, byGroup: counts } : null };
}

/** Rows before the page that need not be looked at. Returns the key of the last of them, `null` for none. */
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
  /** How many of the entries to come are before the page, whatever they are. */
  readonly before: number;
  /** Of the entries that came. */
  readonly total: number;
  /** Whether what comes now is behind the page. */
  readonly isComplete: boolean;
  /** So many that came before the page. */
  passOver(rows: number): void;
  add(row: WalkedRow): void;
  end(): Pick<NumberedPage, 'ids' | 'hasNext'>;
}

/** Entries come in the order of the list. */
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
    // One more than is shown tells whether there is more.
    if (this.total > this.query.offset && !this.isComplete) this.ids.push(id);
  }

  end(): Pick<NumberedPage, 'ids' | 'hasNext'> {
    return { ids: this.ids.slice(0, this.query.limit), hasNext: this.isComplete };
  }
}

/** Entries come in any order. */
class SortedPage implements GatheredPage {
  private readonly first: FirstEntries;
  readonly isComplete = false;
  /** Any of them may be on the page. */
  readonly before = 0;
  total = 0;

  constructor(private readonly query: NumberedQuery) {
    const { offset, limit, sort } = query;
    const compare = (one: ListCursor, other: ListCursor): number =>
      sort.isDescending ? compareEntries(other, one) : compareEntries(one, other);
    this.first = new FirstEntries(offset + limit + 1, compare);
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

function compareEntries(one: ListCursor, other: ListCursor): number {
  const order =
    typeof one.key === 'number' && typeof other.key === 'number'
      ? one.key - other.key
      : compareOctets(String(one.key), String(other.key));
  return order || compareOctets(one.id, other.id);
}
