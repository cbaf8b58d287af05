import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';

/** The counts that a change would leave behind; `null` where it adds nothing. */
export interface RecordGrowth {
  /** The zone owner's tenant, whose limits count. */
  readonly tenantId: string;
  /** Records in the zone. */
  readonly zoneRecords: number | null;
  /** Pairs of owner name and type in the zone. */
  readonly zoneRecordsets: number | null;
  /** Records of one owner name and type. */
  readonly recordsetRecords: number | null;
}

/** The port through which something may limit how many records there are. */
export abstract class RecordLimits {
  /**
   * Called inside the unit of work, while the zone is held.
   * @throws ServiceError `over_quota`
   */
  abstract assertGrowthAllowed(tx: Transaction, growth: RecordGrowth): Promise<void>;
}

/** Without anybody who counts there is no limit. */
@Injectable()
export class NoRecordLimits extends RecordLimits {
  override assertGrowthAllowed(): Promise<void> {
    return Promise.resolve();
  }
}
