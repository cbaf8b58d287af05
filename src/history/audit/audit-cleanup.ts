import { Injectable } from '@nestjs/common';
import { Clock, DAY } from '../../common/clock.js';
import { Scheduler } from '../../background/scheduler.js';
import { HOUR } from '../../background/background-task.js';
import { inBatches } from '../../background/in-batches.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { AuditOptions } from './audit.options.js';
import { AuditRepository } from './audit.repository.js';

/** Removes entries that are too old. What the journal tells goes with the history of its zone. */
@Injectable()
export class AuditCleanup {
  constructor(
    background: Scheduler,
    unitOfWork: UnitOfWork,
    audit: AuditRepository,
    { days }: AuditOptions,
    clock: Clock,
  ) {
    if (days === null) return;
    background.add({
      name: 'audit.retention',
      every: HOUR,
      failureMessages: {
        failing: 'Old entries of the audit cannot be removed at the moment',
        recovered: 'Old entries of the audit are removed again.',
      },
      run: inBatches(unitOfWork, (tx) => audit.removeOld(tx, clock.now() - days * DAY)),
    });
  }
}
