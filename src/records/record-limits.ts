import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/unit-of-work.js';

/** The counts that a change would leave behind; `null` where it adds nothing. */
export interface RecordGrowth {
  /** The domain owner's tenant, whose limits count. */
  readonly tenantId: string;
  /** Records in the domain. */
  readonly zoneRecords: number | null;
  /** Pairs of owner name and type in the domain. */
  readonly zoneRecordsets: number | null;
  /** Records of one owner name and type. */
  readonly recordsetRecords: number | null;
}

/** The port through which something may limit how many records there are. */
export abstract class RecordLimits {
  /**
   * Called inside the unit of work, while the domain is held.
   * @throws ServiceError `over_quota`
   */
  abstract assertRoomFor(tx: Transaction, growth: RecordGrowth): Promise<void>;
}

/** Without anybody who counts there is no limit. */
@Injectable()
export class NoRecordLimits extends RecordLimits {
  override assertRoomFor(): Promise<void> {
    return Promise.resolve();
  }
}
