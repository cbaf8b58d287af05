/** Only an agenda sets the numbers. */
export interface Due {
  dueAt: number;
  heapIndex: number;
  /** The agenda has already removed the entry. */
  act(): void;
}

/** Milliseconds by which timers may be early. */
const EARLY = 1;

/** Runs due entries with one timer, because thousands of timers take much memory. Keeps no process alive. */
export class Agenda {
  private readonly heap: Due[] = [];
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Infinity;

  /** `Infinity` removes the entry. */
  set(item: Due, dueAt: number): void {
    if (item.heapIndex >= 0) this.remove(item);
    item.dueAt = dueAt;
    if (dueAt === Infinity) return;
    this.rise(item, this.heap.length);
    this.schedule();
  }

  end(): void {
    clearTimeout(this.timer);
    for (const item of this.heap.splice(0)) item.heapIndex = -1;
  }

  private schedule(): void {
    const [first] = this.heap;
    if (first === undefined || first.dueAt >= this.timerAt) return;
    clearTimeout(this.timer);
    this.timerAt = first.dueAt;
    this.timer = setTimeout(() => this.actOnDue(), Math.max(0, first.dueAt - performance.now())).unref();
  }

  private actOnDue(): void {
    this.timerAt = Infinity;
    const now = performance.now() + EARLY;
    for (let [first] = this.heap; first !== undefined && first.dueAt <= now; [first] = this.heap) {
      this.remove(first);
      first.act();
    }
    this.schedule();
  }

  private remove(item: Due): void {
    const last = this.heap.pop();
    const { heapIndex: index } = item;
    item.heapIndex = -1;
    if (last === undefined || last === item) return;
    const above = this.heap[(index - 1) >> 1];
    if (index > 0 && above !== undefined && above.dueAt > last.dueAt) this.rise(last, index);
    else this.sink(last, index);
  }

  private rise(item: Due, from: number): void {
    let index = from;
    for (; index > 0; index = (index - 1) >> 1) {
      const above = this.heap[(index - 1) >> 1];
      if (above === undefined || above.dueAt <= item.dueAt) break;
      this.put(above, index);
    }
    this.put(item, index);
  }

  private sink(item: Due, from: number): void {
    let index = from;
    for (;;) {
      const [left, right] = [this.heap[2 * index + 1], this.heap[2 * index + 2]];
      const earlier = right !== undefined && left !== undefined && right.dueAt < left.dueAt ? right : left;
      if (earlier === undefined || earlier.dueAt >= item.dueAt) break;
      const { heapIndex: below } = earlier;
      this.put(earlier, index);
      index = below;
    }
    this.put(item, index);
  }

  private put(item: Due, index: number): void {
    this.heap[index] = item;
    item.heapIndex = index;
  }
}
