/** The price of a request or change includes these octets. */
const FREE_OCTETS = 262_144;
const OCTETS_PER_TOKEN = 65_536;

/** Additional tokens for the length of a request or change (behaviour 8.7, 14.4). */
export function surcharge(octets: number): number {
  return Math.floor(Math.max(0, octets - FREE_OCTETS) / OCTETS_PER_TOKEN);
}

export class TokenBucket {
  private tokens: number;
  private filledAt = performance.now();

  /** @param interval milliseconds between two tokens @param capacity initial and largest number of tokens */
  constructor(
    private readonly interval: number,
    private readonly capacity: number,
  ) {
    this.tokens = capacity;
  }

  get isFull(): boolean {
    return this.level() >= this.capacity;
  }

  tryTake(): boolean {
    if (this.level() < 1) return false;
    this.tokens -= 1;
    return true;
  }

  /** Takes unavailable tokens too: `tryTake` fails until the debt is refilled. */
  takeInAdvance(count: number): void {
    this.tokens = this.level() - count;
  }

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
