import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { OwnedResources } from '../../zones/sharing/owned-resources.js';
import { ZoneKeyRepository } from './zone-key.repository.js';

/** Keys outlive their zone, and are for whoever had it last: nobody who had it before gets them when it is made again. */
@Injectable()
export class OwnerKeys extends OwnedResources {
  constructor(private readonly keys: ZoneKeyRepository) {
    super();
  }

  override makeOwn(tx: Transaction, zoneId: string, tenantId: string): Promise<void> {
    return this.keys.makeOwn(tx, zoneId, tenantId);
  }
}
