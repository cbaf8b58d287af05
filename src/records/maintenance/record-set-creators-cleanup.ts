import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { HOUR } from '../../background/background-task.js';
import { inBatches } from '../../background/in-batches.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { RecordSetCreatorRepository } from '../record-set-creator.repository.js';

/** Forgets who had put record sets into shared zones that others have removed since. */
@Injectable()
export class RecordSetCreatorsCleanup {
  constructor(background: Scheduler, unitOfWork: UnitOfWork, creators: RecordSetCreatorRepository) {
    background.add({
      name: 'records.creators',
      every: HOUR,
      failureMessages: {
        failing: 'Makers of record sets that are gone cannot be removed at the moment',
        recovered: 'Makers of record sets that are gone are removed again.',
      },
      run: inBatches(unitOfWork, async (tx) => {
        await creators.deleteOfLostSets(tx);
        return false;
      }),
    });
  }
}
