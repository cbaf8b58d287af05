/** Included in the price of one request or change. */
const FREE_OCTETS = 262_144;
const OCTETS_PER_TOKEN = 65_536;

/** Tokens that a request or change of this length costs beyond its own (behaviour 8.7, 14.4). */
export function surcharge(octets: number): number {
  return Math.floor(Math.max(0, octets - FREE_OCTETS) / OCTETS_PER_TOKEN);
}

/** Holds as many tokens as may be taken at once, and fills up again evenly. */
export class TokenBucket {
  private tokens: number;
  private filledAt = performance.now();

  /**
   * @param interval from one token that comes to the next, in milliseconds
   * @param capacity how many there are at first, and at most
   */
  constructor(
    private readonly interval: number,
    private readonly capacity: number,
  ) {
    this.tokens = capacity;
  }

  get isFull(): boolean {
    return this.level() >= this.capacity;
  }

  /** Takes one; `false` where there is none. */
  tryTake(): boolean {
    if (this.level() < 1) return false;
    this.tokens -= 1;
    return true;
  }

  /** Takes so many whether they are there or not: what is missing has to come before the next one can be taken. */
  takeInAdvance(count: number): void {
    this.tokens = this.level() - count;
  }

  /** In how many milliseconds one can be taken; 0: now. */
  timeToNext(): number {
    return Math.max(0, (1 - this.level()) * this.interval);
  }

  private level(): number {
    const now = performance.now();
    this.tokens = Math.min(this.capacity, this.tokens + (now - this.filledAt) / this.interval);
    this.filledAt = now;
    return this.tokens;
  }
}
