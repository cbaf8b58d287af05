import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import { ZoneDeletionGuard } from '../zones/zone-deletion-guard.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';

/** In these states a DS was said to be in the parent zone, or to go from there. */
const WITH_DS: ReadonlySet<string> = new Set(['secure', 'leaving']);

/** While a DS refers to a zone, its name is gone for validating resolvers, whoever serves it next without its keys. */
@Injectable()
export class SignedZoneGuard extends ZoneDeletionGuard {
  constructor(private readonly signing: ZoneSigningRepository) {
    super();
  }

  override async assertDeletable(
    tx: Transaction,
    { id, name }: Readonly<ZoneEntity>,
    { deletesSigned, deletesHard }: Caller,
  ): Promise<void> {
    if (deletesSigned === true || deletesHard === true) return;
    const row = await this.signing.find(tx, id);
    if (row === undefined || !WITH_DS.has(row.state)) return;
    throw new ServiceError(
      'signing_conflict',
      `The parent zone has a DS of ${name}, which nobody could resolve validly without its keys: end its signing first.`,
    );
  }
}
