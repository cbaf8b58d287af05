import { PeriodicCleanup } from './periodic-cleanup.js';

/** Removes once an hour, while the service runs, what nobody can see any more. */
export abstract class HourlyCleanup extends PeriodicCleanup {
  protected override readonly everyMs = 3_600_000;
}
