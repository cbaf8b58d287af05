import { Injectable } from '@nestjs/common';
import { Clock, formatInstant, type Instant, SECOND } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { DatabaseClock } from '../../database/database-clock.js';

/** Clocks that differ by more are wrong. */
const MAX_DEVIATION: Instant = 3_600_000_000;
/** A comparison is valid for this time. A clock that jumps is compared again immediately. */
const FRESH: Instant = 60_000_000;

/** The clock is wrong. Signing and rollovers pause until it is right. */
export class WrongClock extends ServiceError {
  constructor(message: string) {
    super('unavailable', message);
  }
}

/** The time for signatures, guarded against wrong clocks: validators reject signatures from the future. */
@Injectable()
export class SigningClock {
  /** How far the local clock is ahead of the database clock. */
  private lead: Instant = 0;
  private comparedAt: Instant = 0;

  constructor(
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
  ) {}

  now(): Instant {
    return this.clock.now();
  }

  /** Call it shortly before `after`, outside of a transaction. On one machine it cannot detect a clock ahead. */
  async compare(): Promise<void> {
    if (Math.abs(this.clock.now() - this.comparedAt) < FRESH) return;
    const other = await this.databaseClock.now();
    const now = this.clock.now();
    this.lead = other === null ? 0 : now - other;
    this.comparedAt = now;
  }

  /** `runAt`: when the zone was last signed. Throws WrongClock. */
  after(runAt: Instant): Instant {
    const now = this.clock.now();
    if (Math.abs(now - this.comparedAt) > MAX_DEVIATION)
      throw new WrongClock(
        `The clock of this machine jumped from ${formatInstant(this.comparedAt)} to ${formatInstant(now)}.`,
      );
    if (now < runAt - MAX_DEVIATION)
      throw new WrongClock(
        `The clock of this machine is behind: ${formatInstant(now)}, but a zone was signed at ${formatInstant(runAt)}.`,
      );
    if (Math.abs(this.lead) > MAX_DEVIATION)
      throw new WrongClock(
        `The clocks differ: this machine ${formatInstant(now)}, database ${formatInstant(now - this.lead)}.`,
      );
    return now;
  }
}

const MAX_PAUSE = 60 * SECOND;
/** The share of the elapsed wait to wait before the next check. */
const SHARE = 1 / 8;

export function backoff(since: Instant, now: Instant, longest = MAX_PAUSE): Instant {
  return now + Math.min(longest, Math.max(SECOND, Math.round((now - since) * SHARE)));
}
