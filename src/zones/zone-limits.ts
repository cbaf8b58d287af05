import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';

/** The port through which something may limit how many zones a tenant owns. */
export abstract class ZoneLimits {
  /**
   * Called inside the unit of work, with the count that the tenant would have afterwards.
   * @throws ServiceError `over_quota`
   */
  abstract assertZoneAllowed(tx: Transaction, tenantId: string, zoneCount: number): Promise<void>;
}

/** Without quotas there is no limit. */
@Injectable()
export class NoZoneLimits extends ZoneLimits {
  override assertZoneAllowed(): Promise<void> {
    return Promise.resolve();
  }
}
