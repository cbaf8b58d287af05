import type { CollectionQuery } from '../../common/collection-query.js';
import { compareOctets } from '../../common/json.js';

/** Numbers are never compared with text. */
export interface ListCursor {
  readonly key: string | number;
  readonly id: string;
}

/** Collects one page from entries in any order, and counts the others. */
export class FoundPage<Entry extends ListCursor> {
  private readonly first: Entry[] = [];
  private found = 0;

  /** @param behind `null`: begin with the first entry */
  constructor(
    private readonly query: Pick<CollectionQuery, 'limit' | 'sort'>,
    private readonly behind: ListCursor | null,
  ) {}

  add(entry: Entry): void {
    this.found += 1;
    if (this.behind !== null && this.compare(entry, this.behind) <= 0) return;
    // One extra entry tells whether more follow.
    const isFull = this.first.length > this.query.limit;
    const last = this.first.at(-1);
    if (isFull && last !== undefined && this.compare(entry, last) >= 0) return;
    if (isFull) this.first.pop();
    this.first.splice(this.indexFor(entry), 0, entry);
  }

  get entries(): readonly Entry[] {
    return this.first.slice(0, this.query.limit);
  }

  get hasNext(): boolean {
    return this.first.length > this.query.limit;
  }

  get total(): number {
    return this.found;
  }

  private indexFor(entry: ListCursor): number {
    let [from, to] = [0, this.first.length];
    while (from < to) {
      const middle = (from + to) >>> 1;
      const other = this.first[middle];
      if (other !== undefined && this.compare(other, entry) < 0) from = middle + 1;
      else to = middle;
    }
    return from;
  }

  private compare(one: ListCursor, other: ListCursor): number {
    const order = compareEntries(one, other);
    return this.query.sort.isDescending ? -order : order;
  }
}

export function compareEntries(one: ListCursor, other: ListCursor): number {
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
