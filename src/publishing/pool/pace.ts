import { TokenBucket } from '../../common/waiting/token-bucket.js';

/**
 * Spreads what is sent to one server. Who comes last goes first: a change of now does not wait behind ten thousand zones that
 * are new to the server.
 */
export class Pace {
  private readonly waiting: (() => void)[] = [];
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

  /** Resolves when the caller may send. */
  turn(): Promise<void> {
    if (this.waiting.length === 0 && this.bucket.tryTake()) return Promise.resolve();
    return new Promise((resolve) => {
      this.waiting.push(resolve);
      this.timer ??= setTimeout(() => this.serve(), this.interval);
    });
  }

  /** Lets everybody go who waits. */
  end(): void {
    clearTimeout(this.timer);
    for (const go of this.waiting.splice(0)) go();
  }

  private serve(): void {
    while (this.waiting.length > 0 && this.bucket.tryTake()) this.waiting.pop()?.();
    this.timer = this.waiting.length > 0 ? setTimeout(() => this.serve(), this.interval) : undefined;
  }
}
