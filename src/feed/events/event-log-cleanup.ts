import { Injectable } from '@nestjs/common';
import { Clock, DAY } from '../../common/clock.js';
import { Background } from '../../background/background.js';
import { HOUR } from '../../background/background-task.js';
import { inPortions } from '../../background/in-portions.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { EventLogRepository } from './event-log.repository.js';
import { EventsOptions } from './events.options.js';

/** Removes what is too old from the log of events. */
@Injectable()
export class EventLogCleanup {
  constructor(
    background: Background,
    unitOfWork: UnitOfWork,
    log: EventLogRepository,
    { days }: EventsOptions,
    clock: Clock,
  ) {
    if (days === null) return;
    background.add({
      name: 'events.retention',
      every: HOUR,
      trouble: {
        begins: 'Old entries of the log of events cannot be removed at the moment',
        ends: 'Old entries of the log of events are removed again.',
      },
      run: inPortions(unitOfWork, (tx) => log.removeOld(tx, clock.now() - days * DAY)),
    });
  }
}
