import { Injectable } from '@nestjs/common';
import { Clock, formatInstant, type Instant } from '../../common/clock.js';
import { ServiceError } from '../../common/service-error.js';
import { DatabaseClock } from '../../database/database-clock.js';

/** A clock that differs by so much was set wrong. */
const LONGEST_DEVIATION: Instant = 3_600_000_000;
/** What was compared counts for so long; a clock that is set is compared at once, since it says another time by then. */
const FRESH: Instant = 60_000_000;

/** A time that nothing may be dated by: signing and rollovers wait until the clock is right, and then go on by themselves. */
export class WrongClock extends ServiceError {
  constructor(message: string) {
    super('unavailable', message);
  }
}

/** The time that signatures are dated by. Validating resolvers refuse what seems to come out of the future. */
@Injectable()
export class SigningClock {
  /** By how much this machine is ahead of the database's, as they were compared last. */
  private lead: Instant = 0;
  private comparedAt: Instant = 0;

  constructor(
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
  ) {}

  /**
   * Has to come shortly before `after`, outside of a transaction. Where both are on one machine, nothing tells that its clock
   * is ahead.
   */
  async compare(): Promise<void> {
    if (Math.abs(this.clock.now() - this.comparedAt) < FRESH) return;
    const other = await this.databaseClock.now();
    const now = this.clock.now();
    this.lead = other === null ? 0 : now - other;
    this.comparedAt = now;
  }

  /**
   * @param runAt when the zone was signed last
   * @throws WrongClock
   */
  after(runAt: Instant): Instant {
    const now = this.clock.now();
    if (Math.abs(now - this.comparedAt) > LONGEST_DEVIATION)
      throw new WrongClock(
        `The clock of this machine says ${formatInstant(now)}, and said ${formatInstant(this.comparedAt)} just before.`,
      );
    if (now < runAt - LONGEST_DEVIATION)
      throw new WrongClock(
        `A zone was signed at ${formatInstant(runAt)}, and the clock of this machine says ${formatInstant(now)}.`,
      );
    if (Math.abs(this.lead) > LONGEST_DEVIATION)
      throw new WrongClock(
        `The clock of this machine says ${formatInstant(now)}, and that of the database ${formatInstant(now - this.lead)}.`,
      );
    return now;
  }
}
