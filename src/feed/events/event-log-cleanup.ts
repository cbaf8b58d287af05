import { Injectable } from '@nestjs/common';
import { Clock, DAY } from '../../common/clock.js';
import { Scheduler } from '../../background/scheduler.js';
import { HOUR } from '../../background/background-task.js';
import { inBatches } from '../../background/in-batches.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { EventLogRepository } from './event-log.repository.js';
import { EventsOptions } from './events.options.js';

/** Removes what is too old from the log of events. */
@Injectable()
export class EventLogCleanup {
  constructor(
    background: Scheduler,
    unitOfWork: UnitOfWork,
    log: EventLogRepository,
    { days }: EventsOptions,
    clock: Clock,
  ) {
    if (days === null) return;
    background.add({
      name: 'events.retention',
      every: HOUR,
      failureMessages: {
        failing: 'Old entries of the log of events cannot be removed at the moment',
        recovered: 'Old entries of the log of events are removed again.',
      },
      run: inBatches(unitOfWork, (tx) => log.removeOld(tx, clock.now() - days * DAY)),
    });
  }
}
