import { compareOctets } from '../../common/json.js';
import { type SearchClient, inSearchTurns } from '../../common/waiting/search-turns.js';
import type { Reads } from '../reads.js';
import type { ListCursor } from './found-page.js';
import { type ColumnKind, sortKeyOf, type ListWalk } from './filtered-pages.js';
import type { SqlValue } from '../transaction.js';
import { backwards, strides, walked } from './walk.js';

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

/** The first `most` entries in sort order: a heap with the last of them on top. */
export class FirstEntries {
  private readonly heap: ListCursor[] = [];

  constructor(
    private readonly size: number,
    private readonly compare: (one: ListCursor, other: ListCursor) => number,
  ) {}

  add(entry: ListCursor): void {
    if (this.heap.length < this.size) {
      this.heap.push(entry);
      this.rise(this.heap.length - 1);
      return;
    }
    const [last] = this.heap;
    if (last === undefined || this.compare(entry, last) >= 0) return;
    this.heap[0] = entry;
    this.sink();
  }

  takeBehind(offset: number): ListCursor[] {
    const taken: ListCursor[] = [];
    while (this.heap.length > offset) taken.push(this.takeLast());
    return taken.reverse();
  }

  private takeLast(): ListCursor {
    // The heap is larger than the offset.
    const last = this.heap[0] as ListCursor;
    const moved = this.heap.pop() as ListCursor;
    if (this.heap.length > 0) {
      this.heap[0] = moved;
      this.sink();
    }
    return last;
  }

  private rise(from: number): void {
    for (let at = from; at > 0;) {
      const parent = (at - 1) >>> 1;
      if (!this.isBehind(at, parent)) return;
      this.swap(at, parent);
      at = parent;
    }
  }

  private sink(): void {
    for (let at = 0; ;) {
      const [left, right] = [2 * at + 1, 2 * at + 2];
      let last = at;
      if (this.isBehind(left, last)) last = left;
      if (this.isBehind(right, last)) last = right;
      if (last === at) return;
      this.swap(at, last);
      at = last;
    }
  }

  private isBehind(one: number, other: number): boolean {
    const [first, second] = [this.heap[one], this.heap[other]];
    return first !== undefined && second !== undefined && this.compare(first, second) > 0;
  }

  private swap(one: number, other: number): void {
    const [first, second] = [this.heap[one], this.heap[other]];
    if (first === undefined || second === undefined) return;
    this.heap[one] = second;
    this.heap[other] = first;
  }
}
