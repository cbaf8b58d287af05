import { Logger } from '@nestjs/common';
import { type Clock, SECOND } from '../../common/clock.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import type { ChangeEntry } from './change-listener.js';
import { DELAY, DELIVERED, FAILURES, SKIPPED } from './listener-metrics.js';

/** Says in metrics and log how far a listener gets. */
export class ListenerReport {
  private readonly logger = new Logger('Zonewright');
  private readonly skipWarning = new ThrottledLogger();

  constructor(
    private readonly name: string,
    private readonly clock: Clock,
  ) {
    // Metrics show the series at 0 before anything has happened.
    DELIVERED.of(name);
    FAILURES.of(name);
  }

  delivered(entries: readonly ChangeEntry[]): void {
    const now = this.clock.now();
    const delay = DELAY.of(this.name);
    for (const { at } of entries) delay.observe(Math.max(0, now - at) / SECOND);
    DELIVERED.of(this.name).add(entries.length);
  }

  /**
   * @param position up to which the listener has had the entries of the zone
   * @param last of those that are gone
   */
  skipped(zoneId: string, position: number, last: number): void {
    SKIPPED.of(this.name).add(last - position);
    this.skipWarning.warn(
      `change listener ${this.name}: entries ${position + 1} to ${last} of zone ${zoneId} were removed from the history before` +
        ' it had processed them; it never gets them',
    );
  }

  /** @param isFailing whether it has failed at a zone before: the log says so once, until it has caught up */
  failed(zone: string, error: unknown, isFailing: boolean): void {
    FAILURES.of(this.name).add();
    if (isFailing) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(
      `change listener ${this.name} fails at zone ${zone}: ${reason}; the same entries will be delivered again`,
    );
  }

  caughtUp(): void {
    this.logger.log(`change listener ${this.name} has caught up`);
  }
}
