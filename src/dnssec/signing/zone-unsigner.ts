import { Injectable } from '@nestjs/common';
import { Clock } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import type { ZoneChange } from '../../zones/changes/zone-change.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { snapshotOf } from '../../zones/zone-snapshot.js';
import { ZoneKeyRepository } from '../keys/zone-key.repository.js';
import { ZoneParentRepository } from '../parent/zone-parent.repository.js';
import { ZoneRolloverRepository } from '../rollovers/zone-rollover.repository.js';
import { SignedStepRepository } from '../state/signed-step.repository.js';
import { ZoneSigningRepository } from '../state/zone-signing.repository.js';

/** Makes a zone one without signatures, once nobody looks for any. */
@Injectable()
export class ZoneUnsigner {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly signing: ZoneSigningRepository,
    private readonly rollovers: ZoneRolloverRepository,
    private readonly steps: SignedStepRepository,
    private readonly keys: ZoneKeyRepository,
    private readonly parents: ZoneParentRepository,
    private readonly clock: Clock,
  ) {}

  /** In a change of the zone. Keys stay known, so that none is made again; what was signed is removed in portions later. */
  async take(change: ZoneChange, tx: Transaction): Promise<void> {
    const { zone } = change;
    // What name servers were sent last has a later serial than the contents may have.
    const before = snapshotOf(zone);
    change.record('zone.serial', { before, after: { ...before, serial: change.serial } });
    await this.signing.delete(tx, zone.id);
    await this.rollovers.delete(tx, zone.id);
    await this.steps.forgetBefore(tx, zone.id, Number.MAX_SAFE_INTEGER);
    await this.parents.leave(tx, zone.id);
    await this.keys.retire(tx, zone.id, this.clock.now());
    await this.zones.publish(tx, zone.id, null);
  }
}
