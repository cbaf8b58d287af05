import { maySee } from '../auth/policy.js';
import { allOf } from '../common/all-of.js';
import type { Caller } from '../common/caller.js';
import type { Transaction } from '../database/transaction.js';
import type { Outcome } from '../database/unit-of-work.js';
import type { ChangeCompanion } from '../zones/zone-batch.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import type { ZoneShareRepository } from '../zones/zone-share.repository.js';
import { noSuchZone } from '../zones/zone.repository.js';
import type { RecordSetCreatorRepository } from './record-set-creator.repository.js';
import type { DoneSetOperation, RecordSetOperation } from './record-set-operation.js';
import { noSuchRecordSet } from './record-set-performing.js';

/** What a tenant does to one of the record sets of a zone that may be somebody else's. */
export interface AskedOfSet {
  readonly zoneId: string;
  readonly caller: Caller;
  readonly operation: RecordSetOperation;
}

/**
 * Goes along with a change of a record set, and lets guests in (behaviour 13.10). While the zone is held, it looks whose the
 * zone is; where it is somebody else's, whether it is shared with the caller and the set is the caller's own. It notes whose
 * a guest's new set is.
 */
export class GuestChange implements ChangeCompanion<DoneSetOperation> {
  private isByGuest = false;
  private isShared = false;
  private isOwn = false;

  constructor(
    private readonly asked: AskedOfSet,
    private readonly shares: ZoneShareRepository,
    private readonly creators: RecordSetCreatorRepository,
  ) {}

  /** The tenant that the set belongs to if the change has made it; `null`: it is the owner of the zone. */
  get creator(): string | null {
    return this.isByGuest ? this.asked.caller.tenantId : null;
  }

  async load(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    const { zoneId, caller, operation } = this.asked;
    const { tenantId } = caller;
    this.isByGuest = !maySee(caller, zone);
    if (!this.isByGuest) return;
    [this.isShared, this.isOwn] = await allOf([
      this.shares.isSharedForChange(tx, zoneId, tenantId),
      !('setId' in operation) || this.creators.isOf(tx, zoneId, operation.setId, tenantId),
    ]);
  }

  admit(): void {
    if (!this.isByGuest) return;
    if (!this.isShared) throw noSuchZone();
    if (!this.isOwn) throw noSuchRecordSet();
  }

  async write(tx: Transaction, outcome: Outcome<DoneSetOperation>): Promise<void> {
    if (!this.isByGuest || 'error' in outcome) return;
    const { zoneId, caller, operation } = this.asked;
    const { id: recordSetId } = outcome.value.set;
    if (operation.action === 'create set')
      await this.creators.insert(tx, { zoneId, recordSetId, tenantId: caller.tenantId });
    if (operation.action === 'delete set') await this.creators.delete(tx, zoneId, recordSetId);
  }
}
