import { Injectable } from '@nestjs/common';
import { Clock, formatInstant, type Instant } from '../../common/clock.js';
import { DatabaseClock } from '../../database/database-clock.js';

/** A clock that differs by so much was set wrong. */
const LONGEST_DEVIATION: Instant = 3_600_000_000;

/** A time that no signature may be dated by: nothing is signed until the clock is right, and then goes on by itself. */
export class WrongClock extends Error {}

/** The time that signatures are dated by. Validating resolvers refuse what seems to come out of the future. */
@Injectable()
export class SigningClock {
  /** By how much this machine is ahead of the database's, as they were compared last. */
  private lead: Instant = 0;

  constructor(
    private readonly clock: Clock,
    private readonly databaseClock: DatabaseClock,
  ) {}

  /** Where both are on one machine, nothing tells that its clock is ahead. */
  async compare(): Promise<void> {
    const other = await this.databaseClock.now();
    this.lead = other === null ? 0 : this.clock.now() - other;
  }

  /**
   * @param runAt when the zone was signed last
   * @throws WrongClock
   */
  after(runAt: Instant): Instant {
    const now = this.clock.now();
    if (now < runAt - LONGEST_DEVIATION)
      throw new WrongClock(
        `a zone was signed at ${formatInstant(runAt)}, and the clock of this machine says ${formatInstant(now)}`,
      );
    if (Math.abs(this.lead) > LONGEST_DEVIATION)
      throw new WrongClock(
        `the clock of this machine says ${formatInstant(now)}, and that of the database ${formatInstant(now - this.lead)}`,
      );
    return now;
  }
}
