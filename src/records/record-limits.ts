import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';

/** The counts that a change would leave behind; `null` where it adds nothing. */
export interface RecordGrowth {
  /** Records in the zone. */
  readonly zoneRecords: number | null;
  /** Pairs of owner name and type in the zone. */
  readonly zoneRecordsets: number | null;
  /** Records of one owner name and type. */
  readonly recordsetRecords: number | null;
}

/**
 * Whether a zone may grow. It knows what it needs to know, and asks nobody.
 * @throws ServiceError `over_quota`
 */
export type GrowthCheck = (growth: RecordGrowth) => void;

/** The port through which something may limit how many records there are. */
export abstract class RecordLimits {
  /**
   * The limits of a zone. Called inside the unit of work, while the zone is held, once for all changes that are judged
   * together.
   * @param tenantId the zone owner's tenant, whose limits count
   */
  abstract checkFor(tx: Transaction, tenantId: string): Promise<GrowthCheck>;
}

/** Without quotas there is no limit. */
@Injectable()
export class NoRecordLimits extends RecordLimits {
  override checkFor(): Promise<GrowthCheck> {
    return Promise.resolve(() => undefined);
  }
}
