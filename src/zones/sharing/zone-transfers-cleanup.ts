import { Injectable } from '@nestjs/common';
import { Background } from '../../background/background.js';
import { HOUR } from '../../background/background-task.js';
import { inPortions } from '../../background/in-portions.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ZoneTransferRepository } from './zone-transfer.repository.js';

/** Removes what belongs to zones that have been deleted: nobody sees it any more. */
@Injectable()
export class ZoneTransfersCleanup {
  constructor(background: Background, unitOfWork: UnitOfWork, transfers: ZoneTransferRepository) {
    background.add({
      name: 'zones.transfer-requests',
      every: HOUR,
      trouble: {
        begins: 'Transfer requests of deleted zones cannot be removed at the moment',
        ends: 'Transfer requests of deleted zones are removed again.',
      },
      run: inPortions(unitOfWork, async (tx) => {
        await transfers.deleteOrphaned(tx);
        return false;
      }),
    });
  }
}
