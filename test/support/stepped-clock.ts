import { Clock, type Instant } from '../../src/common/clock.js';

/** In instant units. */
export const DAY = 86_400_000_000;

/** A clock that stands still until the test moves it. */
export class SteppedClock extends Clock {
  instant: Instant = Date.UTC(2026, 10, 20, 8, 30) * 1000;

  override now(): Instant {
    return this.instant;
  }
}
