import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneChange } from './changes/zone-change.js';
import { ZoneChanges } from './changes/zone-changes.js';
import { ZoneShareRepository } from './sharing/zone-share.repository.js';
import { LeftContents } from './left-contents.js';
import { ZoneDeletionGuard } from './zone-contents.js';
import { ZoneDrafter } from './zone-draft.js';
import { ZonePublication } from './zone-publication.js';
import { snapshotOf } from './zone-snapshot.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import type { ZoneExpectation } from './zone-updater.js';

@Injectable()
export class ZoneDeleter {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly drafter: ZoneDrafter,
    private readonly shares: ZoneShareRepository,
    private readonly left: LeftContents,
    private readonly guard: ZoneDeletionGuard,
    private readonly publication: ZonePublication,
  ) {}

  /** Keeps the journal. Returns the deleted zone. */
  delete(id: string, caller: Caller, expect?: ZoneExpectation): Promise<Readonly<ZoneEntity>> {
    return this.remove(id, caller, async (zone) => expect?.(zone));
  }

  /** Leaves the copies on the name servers (behaviour 13.7). */
  async abandon(id: string, caller: Caller): Promise<void> {
    await this.remove(id, caller, (zone, tx) => this.publication.abandon(tx, zone.id));
  }

  private async remove(
    id: string,
    caller: Caller,
    prepare: (zone: Readonly<ZoneEntity>, tx: Transaction) => Promise<void>,
  ): Promise<Readonly<ZoneEntity>> {
    const remove = async (change: ZoneChange, tx: Transaction): Promise<Readonly<ZoneEntity>> => {
      const { zone } = change;
      await prepare(zone, tx);
      await this.guard.assertDeletable(tx, zone, caller);
      // All zones are below the root, and none depends on it.
      if (zone.nameKey !== '' && (await this.zones.hasZoneBelow(tx, zone.nameKey)))
        throw ServiceError.because(
          'zone_has_child_zones',
          because('domain_has_child_domains', { domain: zone.name }),
          `Delete the zones inside ${zone.name} first.`,
        );
      if (caller.deletesShares !== true && (await this.shares.isShared(tx, zone.id)))
        throw ServiceError.because(
          'zone_is_shared',
          because('domain_is_shared', { domain: zone.name }),
          `${zone.name} is shared with other projects; end the shares first.`,
        );
      await this.left.deleteOrLeave(tx, zone);
      change.record('zone.delete', { before: snapshotOf(zone), after: null });
      await this.shares.deleteOfZone(tx, zone.id);
      await this.drafter.remove(tx, zone, change.serial);
      return zone;
    };
    const zone = await this.changes.withZoneLock(id, caller, remove, { does: 'delete' });
    this.left.startRemoving(zone);
    return zone;
  }
}
