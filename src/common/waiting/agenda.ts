/** Something that is to be done at its time. The agenda keeps both numbers. */
export interface Due {
  /** By the clock of `performance.now()`. */
  dueAt: number;
  /** Its place in the agenda, or -1. */
  place: number;
  /** Does what is due. It is no longer in the agenda then. */
  act(): void;
}

/** Timers may be early by less than that, in milliseconds. */
const EARLY = 1;

/**
 * Calls whoever is due, with one timer for all of them: where tens of thousands wait for minutes, timers of their own would
 * be most of what they take in memory.
 */
export class Agenda {
  /** The earliest first: a heap, in which nothing is due before what stands at half of its place. */
  private readonly heap: Due[] = [];
  private timer: NodeJS.Timeout | undefined;
  private timerAt = Infinity;

  /** From now on it is due then, and not when it was before; `Infinity`: not at all. */
  set(item: Due, dueAt: number): void {
    if (item.place >= 0) this.remove(item);
    item.dueAt = dueAt;
    if (dueAt === Infinity) return;
    this.rise(item, this.heap.length);
    this.schedule();
  }

  end(): void {
    clearTimeout(this.timer);
    for (const item of this.heap.splice(0)) item.place = -1;
  }

  private schedule(): void {
    const [first] = this.heap;
    if (first === undefined || first.dueAt >= this.timerAt) return;
    clearTimeout(this.timer);
    this.timerAt = first.dueAt;
    this.timer = setTimeout(() => this.actOnDue(), first.dueAt - performance.now());
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
    const { place } = item;
    item.place = -1;
    if (last === undefined || last === item) return;
    const above = this.heap[(place - 1) >> 1];
    if (place > 0 && above !== undefined && above.dueAt > last.dueAt) this.rise(last, place);
    else this.sink(last, place);
  }

  private rise(item: Due, from: number): void {
    let place = from;
    for (; place > 0; place = (place - 1) >> 1) {
      const above = this.heap[(place - 1) >> 1];
      if (above === undefined || above.dueAt <= item.dueAt) break;
      this.put(above, place);
    }
    this.put(item, place);
  }

  private sink(item: Due, from: number): void {
    let place = from;
    for (;;) {
      const [left, right] = [this.heap[2 * place + 1], this.heap[2 * place + 2]];
      const earlier = right !== undefined && left !== undefined && right.dueAt < left.dueAt ? right : left;
      if (earlier === undefined || earlier.dueAt >= item.dueAt) break;
      const { place: below } = earlier;
      this.put(earlier, place);
      place = below;
    }
    this.put(item, place);
  }

  private put(item: Due, place: number): void {
    this.heap[place] = item;
    item.place = place;
  }
}
