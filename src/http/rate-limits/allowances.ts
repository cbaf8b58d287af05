import { LRUCache } from 'lru-cache';

/** The minute that is counted over, in milliseconds. */
const WINDOW = 60_000;
/** Beyond them whoever has not come for longest is forgotten, and begins a new minute: about 10 MiB. */
const MOST_CLIENTS = 50_000;

/** What somebody has left of its minute. */
export interface Allowance {
  /** Whether its minute has just begun. */
  readonly isFirst: boolean;
  /** Whether half of it or more is used. */
  readonly isScarce: boolean;
  /** Below zero: it has come too often. */
  readonly left: number;
  /** Seconds until the minute is over, at least 1. */
  readonly resetsIn: number;
}

interface Count {
  taken: number;
  /** When the minute is over, by `performance.now()`. */
  until: number;
}

/** Counts how often each of many comes in a minute, which begins when it comes first. */
export class Allowances {
  // To let it forget what is over by itself would cost a timer in each millisecond.
  private readonly counts = new LRUCache<string, Count>({ max: MOST_CLIENTS });

  constructor(private readonly perMinute: number) {}

  /** Counts one more, or as many as one request costs. */
  take(client: string, requests = 1): Allowance {
    const now = performance.now();
    let count = this.counts.get(client);
    if (count === undefined) {
      count = { taken: 0, until: endOf(now) };
      this.counts.set(client, count);
    } else if (count.until <= now) {
      count.taken = 0;
      count.until = endOf(now);
    }
    count.taken += requests;
    return this.allowanceOf(count, now);
  }

  /** The same, and nothing is counted. */
  of(client: string): Allowance {
    const now = performance.now();
    const count = this.counts.get(client);
    return this.allowanceOf(count === undefined || count.until <= now ? { taken: 0, until: now } : count, now);
  }

  private allowanceOf({ taken, until }: Count, now: number): Allowance {
    return {
      isFirst: taken === 1,
      isScarce: 2 * taken >= this.perMinute,
      left: this.perMinute - taken,
      resetsIn: Math.max(1, Math.ceil((until - now) / 1000)),
    };
  }
}

/** Of the minute that begins now; in whole milliseconds, lest it be a fraction longer. */
function endOf(now: number): number {
  return Math.floor(now) + WINDOW;
}
