import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { HOUR } from '../../background/background-task.js';
import { inBatches } from '../../background/in-batches.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { OwnershipTransferRepository } from './ownership-transfer.repository.js';

/** Removes what belongs to zones that have been deleted: nobody sees it any more. */
@Injectable()
export class OwnershipTransfersCleanup {
  constructor(background: Scheduler, unitOfWork: UnitOfWork, transfers: OwnershipTransferRepository) {
    background.add({
      name: 'zones.transfer-requests',
      every: HOUR,
      failureMessages: {
        failing: 'Transfer requests of deleted zones cannot be removed at the moment',
        recovered: 'Transfer requests of deleted zones are removed again.',
      },
      run: inBatches(unitOfWork, async (tx) => {
        await transfers.deleteOrphaned(tx);
        return false;
      }),
    });
  }
}
