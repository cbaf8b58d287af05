import { Injectable } from '@nestjs/common';
import { Clock, DAY } from '../../common/clock.js';
import { HourlyCleanup } from '../../background/hourly-cleanup.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { EventLogRepository } from './event-log.repository.js';
import { EventsOptions } from './events.options.js';

/** Removes what is too old from the log of events. */
@Injectable()
export class EventLogCleanup extends HourlyCleanup {
  protected override readonly what = 'Old entries of the log of events';

  constructor(
    private readonly log: EventLogRepository,
    private readonly options: EventsOptions,
    private readonly clock: Clock,
    unitOfWork: UnitOfWork,
  ) {
    super(unitOfWork);
  }

  protected override async clean(tx: Transaction): Promise<boolean> {
    const { days } = this.options;
    return days !== null && this.log.removeOld(tx, this.clock.now() - days * DAY);
  }
}
