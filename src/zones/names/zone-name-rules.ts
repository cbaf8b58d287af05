import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { Transaction } from '../../database/transaction.js';
import type { DomainName } from '../../dns/name.js';

/** The port through which something may say which names zones may have at all, whoever holds the names around them. */
export abstract class ZoneNameRules {
  /**
   * Called inside the unit of work that makes a zone, before its quota is asked for.
   * @throws ServiceError `invalid_zone_name`
   */
  abstract assertAllowed(tx: Transaction, name: DomainName, caller: Caller): Promise<void>;
}

/** Without rules for names every name is allowed. */
@Injectable()
export class NoZoneNameRules extends ZoneNameRules {
  override assertAllowed(): Promise<void> {
    return Promise.resolve();
  }
}
