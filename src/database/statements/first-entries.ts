import type { ListCursor } from './found-page.js';

type Compare = (one: ListCursor, other: ListCursor) => number;

/** The first so many of entries that come in any order: a heap with the last of them on top, so that none costs much. */
export class FirstEntries {
  private readonly heap: ListCursor[] = [];

  constructor(
    private readonly size: number,
    private readonly compare: Compare,
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

  /** Those behind the first `offset` of them, in their order; they are taken out. */
  takeBehind(offset: number): ListCursor[] {
    const taken: ListCursor[] = [];
    while (this.heap.length > offset) taken.push(this.takeLast());
    return taken.reverse();
  }

  private takeLast(): ListCursor {
    // There is one: its number is more than an offset.
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
