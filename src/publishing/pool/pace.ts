import { TokenBucket } from '../../common/waiting/token-bucket.js';

/** Where more wait, those that have waited longest are let go without a turn. */
const LONGEST_QUEUE = 10_000;

/**
 * Spreads what is sent to one server. Who comes last goes first: a change of now does not wait behind ten thousand zones that
 * are new to the server.
 */
export class Pace {
  private readonly waiting: ((isTurn: boolean) => void)[] = [];
  private readonly bucket: TokenBucket;
  private readonly interval: number;
  private timer: NodeJS.Timeout | undefined;

  /**
   * @param rate how many a second
   * @param burst how many at once
   */
  constructor(rate: number, burst: number) {
    this.interval = 1000 / rate;
    this.bucket = new TokenBucket(this.interval, burst);
  }

  /** How many wait. */
  get length(): number {
    return this.waiting.length;
  }

  /** Resolves when the caller may send, or to `false` when nothing is to be sent: too many wait, or it is the end. */
  turn(): Promise<boolean> {
    if (this.waiting.length === 0 && this.bucket.tryTake()) return Promise.resolve(true);
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      if (this.waiting.length > LONGEST_QUEUE) this.waiting.shift()?.(false);
      this.timer ??= setTimeout(() => this.serve(), this.interval);
    });
  }

  /** Lets everybody go who waits. */
  end(): void {
    clearTimeout(this.timer);
    for (const go of this.waiting.splice(0)) go(false);
  }

  private serve(): void {
    while (this.waiting.length > 0 && this.bucket.tryTake()) this.waiting.pop()?.(true);
    this.timer = this.waiting.length > 0 ? setTimeout(() => this.serve(), this.interval) : undefined;
  }
}
