import type { CollectionQuery } from '../../common/collection-query.js';
import { compareOctets } from '../../common/text.js';

/** Where an entry stands in a sorted list: numbers are never compared with text. */
export interface ListCursor {
  readonly key: string | number;
  readonly id: string;
}

/** The page of a sorted list, found among entries that come in any order; of the others only their number is kept. */
export class FoundPage<Entry extends ListCursor> {
  private readonly first: Entry[] = [];
  private found = 0;

  /** @param behind where the page begins; `null`: with the first entry */
  constructor(
    private readonly query: Pick<CollectionQuery, 'limit' | 'sort'>,
    private readonly behind: ListCursor | null,
  ) {}

  add(entry: Entry): void {
    this.found += 1;
    if (this.behind !== null && this.compare(entry, this.behind) <= 0) return;
    // One more than is shown tells whether there is more.
    const isFull = this.first.length > this.query.limit;
    const last = this.first.at(-1);
    if (isFull && last !== undefined && this.compare(entry, last) >= 0) return;
    if (isFull) this.first.pop();
    this.first.splice(this.indexFor(entry), 0, entry);
  }

  get entries(): readonly Entry[] {
    return this.first.slice(0, this.query.limit);
  }

  /** Whether there are more behind the last of them. */
  get hasNext(): boolean {
    return this.first.length > this.query.limit;
  }

  /** Of all that came, on whatever page. */
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
