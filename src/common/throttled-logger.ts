import { Logger } from '@nestjs/common';

/** From one line about a trouble to the next, in milliseconds. */
const INTERVAL = 60_000;
/** A trouble that comes back sooner after a success, in milliseconds, was not over: a disk that is full still takes small changes. */
const CALM = 5000;

/** A trouble that the log tells at once, then once a minute as long as it lasts, and once when it is over. */
export class ThrottledLogger {
  private readonly logger = new Logger('Zonewright');
  private toldAt = -Infinity;
  private lastAt = -Infinity;
  /** Whether the log has said that the trouble lasts. */
  private isTold = false;
  private ending: NodeJS.Timeout | undefined;

  /** @param message what is wrong, and what to do about it */
  warn(message: string): void {
    const now = performance.now();
    this.lastAt = now;
    clearTimeout(this.ending);
    this.ending = undefined;
    if (now - this.toldAt < INTERVAL) return;
    this.toldAt = now;
    this.isTold = true;
    this.logger.warn(message);
  }

  /** Whether the log is still to say that it is over. */
  get lasts(): boolean {
    return this.isTold;
  }

  /** To be called with each success: costs nothing where nothing was wrong. */
  over(message: string): void {
    if (!this.isTold || this.ending !== undefined) return;
    const wait = Math.max(0, this.lastAt + CALM - performance.now());
    this.ending = setTimeout(() => this.end(message), wait).unref();
  }

  /** Should it come back, it is a new trouble, and is told at once. */
  private end(message: string): void {
    this.ending = undefined;
    this.isTold = false;
    this.toldAt = -Infinity;
    this.logger.warn(message);
  }
}
