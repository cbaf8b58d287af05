import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/unit-of-work.js';

/** The port through which something may limit how many domains a tenant owns. */
export abstract class DomainLimits {
  /**
   * Called inside the unit of work, with the count that the tenant would have afterwards.
   * @throws ServiceError `over_quota`
   */
  abstract assertRoomForDomain(tx: Transaction, tenantId: string, domainCount: number): Promise<void>;
}

/** Without anybody who counts there is no limit. */
@Injectable()
export class NoDomainLimits extends DomainLimits {
  override assertRoomForDomain(): Promise<void> {
    return Promise.resolve();
  }
}
