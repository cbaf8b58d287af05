/**
 * Spreads what is sent to one server. Who comes last goes first: a change of now does not wait behind ten thousand zones that
 * are new to the server.
 */
export class Pace {
  private readonly waiting: (() => void)[] = [];
  private tokens: number;
  private filledAt = performance.now();
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param rate how many a second
   * @param burst how many at once
   */
  constructor(
    private readonly rate: number,
    private readonly burst: number,
  ) {
    this.tokens = burst;
  }

  /** How many wait. */
  get length(): number {
    return this.waiting.length;
  }

  /** Resolves when the caller may send. */
  turn(): Promise<void> {
    this.fill();
    if (this.tokens >= 1 && this.waiting.length === 0) {
      this.tokens -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.timer ??= setTimeout(() => this.serve(), 1000 / this.rate);
    });
  }

  /** Lets everybody go who waits. */
  end(): void {
    clearTimeout(this.timer);
    for (const go of this.waiting.splice(0)) go();
  }

  private serve(): void {
    this.fill();
    for (; this.tokens >= 1 && this.waiting.length > 0; this.tokens -= 1) this.waiting.pop()?.();
    this.timer = this.waiting.length > 0 ? setTimeout(() => this.serve(), 1000 / this.rate) : undefined;
  }

  private fill(): void {
    const now = performance.now();
    this.tokens = Math.min(this.burst, this.tokens + ((now - this.filledAt) / 1000) * this.rate);
    this.filledAt = now;
  }
}
