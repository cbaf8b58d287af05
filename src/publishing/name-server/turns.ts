/** For so long, in milliseconds, the event loop has no turn for others. */
const LONGEST_TURN = 1;

/** Lets all who have work do a piece of it in turn, and the event loop serve others in between. */
export class Turns<T> {
  private readonly waiting = new Set<T>();
  private isScheduled = false;

  /** @param work does one small piece; returns whether there may be another one */
  constructor(private readonly work: (of: T) => boolean) {}

  add(item: T): void {
    this.waiting.add(item);
    this.schedule();
  }

  private schedule(): void {
    if (this.isScheduled || this.waiting.size === 0) return;
    this.isScheduled = true;
    setImmediate(() => this.takeTurns());
  }

  private takeTurns(): void {
    this.isScheduled = false;
    const end = performance.now() + LONGEST_TURN;
    // Who comes again goes behind the others, and is met there.
    for (const item of this.waiting) {
      this.waiting.delete(item);
      if (this.work(item)) this.waiting.add(item);
      if (performance.now() > end) break;
    }
    this.schedule();
  }
}
