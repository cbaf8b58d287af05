import { Injectable } from '@nestjs/common';
import { Background } from '../../background/background.js';
import { HOUR } from '../../background/background-task.js';
import { inPortions } from '../../background/in-portions.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { RecordSetCreatorRepository } from '../record-set-creator.repository.js';

/** Forgets who had put record sets into shared zones that others have removed since. */
@Injectable()
export class RecordSetCreatorsCleanup {
  constructor(background: Background, unitOfWork: UnitOfWork, creators: RecordSetCreatorRepository) {
    background.add({
      name: 'records.creators',
      every: HOUR,
      trouble: {
        begins: 'Makers of record sets that are gone cannot be removed at the moment',
        ends: 'Makers of record sets that are gone are removed again.',
      },
      run: inPortions(unitOfWork, async (tx) => {
        await creators.deleteOfLostSets(tx);
        return false;
      }),
    });
  }
}
