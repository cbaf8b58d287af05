import { allOf } from '../common/all-of.js';
import type { Transaction } from '../database/transaction.js';
import type { Outcome } from '../database/unit-of-work.js';
import type { ChangeCompanion } from '../zones/zone-batch.js';
import type { ZoneShareRepository } from '../zones/zone-share.repository.js';
import { noSuchZone } from '../zones/zone.repository.js';
import type { RecordSetCreatorRepository } from './record-set-creator.repository.js';
import type { DoneSetOperation } from './record-set-operation.js';
import { noSuchRecordSet } from './record-set-performing.js';

/** What a tenant that a zone is shared with does to one of its record sets. */
export interface GuestOperation {
  readonly zoneId: string;
  readonly tenantId: string;
  readonly action: 'create set' | 'update set' | 'delete set';
  /** `null` for one that is to be made. */
  readonly setId: string | null;
}

/**
 * Goes along with a change of a record set in a zone that is somebody else's (behaviour 13.10). While the zone is held, it
 * looks whether the zone is shared and the set the guest's own, and notes whose a new one is.
 */
export class GuestChange implements ChangeCompanion<DoneSetOperation> {
  private isShared = false;
  private isOwn = false;

  constructor(
    private readonly operation: GuestOperation,
    private readonly shares: ZoneShareRepository,
    private readonly creators: RecordSetCreatorRepository,
  ) {}

  async load(tx: Transaction): Promise<void> {
    const { zoneId, setId, tenantId } = this.operation;
    [this.isShared, this.isOwn] = await allOf([
      this.shares.isSharedForChange(tx, zoneId, tenantId),
      setId === null || this.creators.isOf(tx, zoneId, setId, tenantId),
    ]);
  }

  admit(): void {
    if (!this.isShared) throw noSuchZone();
    if (!this.isOwn) throw noSuchRecordSet();
  }

  async write(tx: Transaction, outcome: Outcome<DoneSetOperation>): Promise<void> {
    if ('error' in outcome) return;
    const { zoneId, tenantId, action } = this.operation;
    const { id: recordSetId } = outcome.value.set;
    if (action === 'create set') await this.creators.insert(tx, { zoneId, recordSetId, tenantId });
    if (action === 'delete set') await this.creators.delete(tx, zoneId, recordSetId);
  }
}
