import { Injectable } from '@nestjs/common';
import { HourlyCleanup } from '../../background/hourly-cleanup.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { ZoneTransferRepository } from './zone-transfer.repository.js';

/** Removes what belongs to zones that have been deleted: nobody sees it any more. */
@Injectable()
export class ZoneTransfersCleanup extends HourlyCleanup {
  protected override readonly what = 'Transfer requests of deleted zones';

  constructor(
    private readonly transfers: ZoneTransferRepository,
    unitOfWork: UnitOfWork,
  ) {
    super(unitOfWork);
  }

  protected override async clean(tx: Transaction): Promise<boolean> {
    await this.transfers.deleteOrphaned(tx);
    return false;
  }
}
