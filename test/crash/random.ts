/** Reads a test's seed from the variable. Without it, the long form draws a new seed and the short form has a fixed one. */
export function seedFrom(variable: string, isLong = true): number {
  return Number(process.env[variable] ?? (isLong ? Date.now() % 1_000_000 : 42));
}

/** Seeded pseudorandom numbers (mulberry32). */
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

  /** A random item; `undefined` for an empty list. */
  pick<T>(items: readonly T[]): T | undefined {
    return items[this.below(items.length)];
  }

  /** Another source, which depends on this one's seed only. */
  fork(): Random {
    return new Random(this.below(2 ** 32));
  }
}
