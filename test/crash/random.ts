/** The seed of a test: as the variable says, or a new one. A short form in the gate has the same values each time. */
export function seedFrom(variable: string, isLong = true): number {
  return Number(process.env[variable] ?? (isLong ? Date.now() % 1_000_000 : 42));
}

/** Numbers that look random and are the same for the same seed (mulberry32). */
export class Random {
  private state: number;

  constructor(seed: number) {
    this.state = seed >>> 0;
  }

  /** From 0 up to, and without, 1. */
  next(): number {
    this.state = (this.state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(this.state ^ (this.state >>> 15), this.state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }

  /** An integer from 0 up to, and without, `end`. */
  below(end: number): number {
    return Math.floor(this.next() * end);
  }

  /** One of them, `undefined` when there is none. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  /** Another source, which depends on this one's seed only. */
  fork(): Random {
    return new Random(this.below(2 ** 32));
  }
}
