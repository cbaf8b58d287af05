import { Injectable } from '@nestjs/common';
import { HourlyCleanup } from '../../background/hourly-cleanup.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { RecordSetCreatorRepository } from '../record-set-creator.repository.js';

/** Forgets who had put record sets into shared zones that others have removed since. */
@Injectable()
export class RecordSetCreatorsCleanup extends HourlyCleanup {
  protected override readonly what = 'Makers of record sets that are gone';

  constructor(
    private readonly creators: RecordSetCreatorRepository,
    unitOfWork: UnitOfWork,
  ) {
    super(unitOfWork);
  }

  protected override async clean(tx: Transaction): Promise<boolean> {
    await this.creators.deleteOfLostSets(tx);
    return false;
  }
}
