import { Logger } from '@nestjs/common';

/** Milliseconds between two log lines about one problem. */
const INTERVAL = 60_000;
/** Milliseconds. A problem that returns sooner was not over: a full disk still accepts small changes. */
const CALM = 5000;

/** Logs a problem immediately, then once a minute while it lasts, and once when it ends. */
export class ThrottledLogger {
  private readonly logger = new Logger('Zonewright');
  private toldAt = -Infinity;
  private lastAt = -Infinity;
  private isTold = false;
  private ending: NodeJS.Timeout | undefined;

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

  get lasts(): boolean {
    return this.isTold;
  }

  /** Call it after each success. Without a problem it costs nothing. */
  over(message: string): void {
    if (!this.isTold || this.ending !== undefined) return;
    const wait = Math.max(0, this.lastAt + CALM - performance.now());
    this.ending = setTimeout(() => this.end(message), wait).unref();
  }

  private end(message: string): void {
    this.ending = undefined;
    this.isTold = false;
    this.toldAt = -Infinity;
    this.logger.warn(message);
  }
}
