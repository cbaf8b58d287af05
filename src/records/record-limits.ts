import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';

/** Counts after a change; `null` if the change does not add to a count. */
export interface RecordGrowth {
  /** Records in the zone. */
  readonly zoneRecords: number | null;
  /** Pairs of owner name and type in the zone. */
  readonly zoneRecordsets: number | null;
  /** Records of one owner name and type. */
  readonly recordsetRecords: number | null;
}

/**
 * Checks the growth of a zone, synchronously, against loaded limits.
 * @throws ServiceError `over_quota`
 */
export type GrowthCheck = (growth: RecordGrowth) => void;

/** Port that limits the number of records. */
export abstract class RecordLimits {
  /**
   * Loads the limits of a zone. Runs once for all changes judged together, inside the unit of work with the zone
   * locked.
   * @param tenantId the zone owner's tenant, whose limits count
   */
  abstract checkFor(tx: Transaction, tenantId: string): Promise<GrowthCheck>;
}

/** Sets no limit, for a service without quotas. */
@Injectable()
export class NoRecordLimits extends RecordLimits {
  override checkFor(): Promise<GrowthCheck> {
    return Promise.resolve(() => undefined);
  }
}
