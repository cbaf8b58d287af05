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
    const order = compareKeys(one.key, other.key) || compareOctets(one.id, other.id);
    return this.query.sort.isDescending ? -order : order;
  }
}

function compareKeys(one: ListCursor['key'], other: ListCursor['key']): number {
  return typeof one === 'number' && typeof other === 'number' ? one - other : compareOctets(String(one), String(other));
}
