import { Logger } from '@nestjs/common';
import { type Clock, SECOND } from '../../common/clock.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import type { ChangeEntry } from '../../plugins/change-listener.js';
import { Histogram, Counter } from '../../observability/metrics.js';

export class ListenerReport {
  private readonly logger = new Logger('Zonewright');
  private readonly skipWarning = new ThrottledLogger();

  constructor(
    private readonly name: string,
    private readonly clock: Clock,
  ) {
    // Shows the metrics as 0 before the first delivery.
    DELIVERED.of(name);
    FAILURES.of(name);
  }

  delivered(entries: readonly ChangeEntry[]): void {
    const now = this.clock.now();
    const delay = DELAY.of(this.name);
    for (const { at } of entries) delay.observe(Math.max(0, now - at) / SECOND);
    DELIVERED.of(this.name).add(entries.length);
  }

  /** `position`: last delivered entry of the zone. `last`: last removed entry. */
  skipped(zoneId: string, position: number, last: number): void {
    SKIPPED.of(this.name).add(last - position);
    this.skipWarning.warn(
      `Change listener ${this.name} missed entries ${position + 1} to ${last} of zone ${zoneId}. They were removed from the` +
        ' history after the retention time.',
    );
  }

  /** @param isFailing whether another failure is already logged */
  failed(zone: string, error: unknown, isFailing: boolean): void {
    FAILURES.of(this.name).add();
    if (isFailing) return;
    const reason = error instanceof Error ? error.message : String(error);
    this.logger.warn(`Change listener ${this.name} failed at zone ${zone}: ${reason}. Retrying the same entries.`);
  }

  caughtUp(): void {
    this.logger.log(`Change listener ${this.name} is up to date.`);
  }
}

const labels = ['listener'];

const DELIVERED = new Counter({
  name: 'zonewright_listener_entries_total',
  help: 'Entries of journals that change listeners have processed.',
  labels,
});
const FAILURES = new Counter({
  name: 'zonewright_listener_failures_total',
  help: 'Deliveries that a change listener has refused, or not processed in time.',
  labels,
});
const SKIPPED = new Counter({
  name: 'zonewright_listener_skipped_total',
  help: 'Entries that were removed from the history before a change listener had processed them.',
  labels,
});
/** In seconds. */
const DELAY = new Histogram({
  name: 'zonewright_listener_delay_seconds',
  help: 'From a change until a change listener has processed it.',
  labels,
});
export const LAG = {
  name: 'zonewright_listener_lag_seconds',
  help: 'How old the oldest change is that a change listener has not processed.',
};
export const ZONES_WAITING = {
  name: 'zonewright_listener_zones_waiting',
  help: 'Zones with changes that a change listener has not processed: waiting, or failing and to be tried again.',
};
export const ENTRIES_WAITING = {
  name: 'zonewright_listener_entries_waiting',
  help: 'Entries that a change listener had not processed when all zones were last looked at.',
};
