import { Logger } from '@nestjs/common';

/** In milliseconds. */
const INTERVAL = 60_000;

/** A warning that the log has once a minute, however often there is a reason for it. */
export class RareWarning {
  private readonly logger = new Logger('Zonewright');
  private warnedAt = -Infinity;

  warn(message: string): void {
    const now = performance.now();
    if (now - this.warnedAt < INTERVAL) return;
    this.warnedAt = now;
    this.logger.warn(message);
  }
}
