import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { ZoneBelongings } from '../../zones/sharing/zone-belongings.js';
import { ZoneKeyRepository } from './zone-key.repository.js';

/** Keys outlive their zone, and are for whoever had it last: nobody who had it before gets them when it is made again. */
@Injectable()
export class KeysOfOwner extends ZoneBelongings {
  constructor(private readonly keys: ZoneKeyRepository) {
    super();
  }

  override makeOwn(tx: Transaction, zoneId: string, tenantId: string): Promise<void> {
    return this.keys.makeOwn(tx, zoneId, tenantId);
  }
}
