import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import type { Transaction } from '../../database/transaction.js';
import { DomainName } from '../../dns/name.js';
import type { ZoneChange } from '../changes/zone-change.js';
import { ZoneChanges } from '../changes/zone-changes.js';
import { ZoneContents, OwnedResources } from '../zone-contents.js';
import { ZoneLimits } from '../zone-limits.js';
import { ZonePlacement } from '../names/zone-placement.js';
import { ZoneShareRepository } from './zone-share.repository.js';
import { snapshotOf } from '../zone-snapshot.js';
import type { ZoneEntity } from '../zone.entity.js';
import { ZoneRepository } from '../zone.repository.js';

export interface OwnershipHook<T> {
  /** Must not write. Throws to reject the zone. */
  readonly judge: (tx: Transaction, zone: Readonly<ZoneEntity>) => Promise<void>;
  readonly write: (tx: Transaction, zone: Readonly<ZoneEntity>) => Promise<T>;
}

@Injectable()
export class ZoneOwnershipService {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly placement: ZonePlacement,
    private readonly limits: ZoneLimits,
    private readonly shares: ZoneShareRepository,
    private readonly contents: ZoneContents,
    private readonly ownedResources: OwnedResources,
  ) {}

  /** The caller need not own the zone. Fails like a create of a zone with that name. Returns the result of `write`. */
  take<T>(zoneId: string, caller: Caller, { judge, write }: OwnershipHook<T>): Promise<T> {
    return this.changes.withNamespaceLock(zoneId, caller, async (change, tx) => {
      const { zone } = change;
      await judge(tx, zone);
      const isTaken = zone.tenantId !== caller.tenantId;
      if (isTaken) await this.assertMayTake(tx, zone, caller);
      const result = await write(tx, zone);
      if (isTaken) await this.move(tx, change, caller.tenantId);
      return result;
    });
  }

  private async assertMayTake(tx: Transaction, { name }: Readonly<ZoneEntity>, caller: Caller): Promise<void> {
    await this.placement.assertMayOwn(tx, DomainName.parse(name), caller);
    const count = await this.zones.zoneCountOf(tx, caller.tenantId);
    await this.limits.assertZoneAllowed(tx, caller.tenantId, count + 1);
  }

  private async move(tx: Transaction, change: ZoneChange, tenantId: string): Promise<void> {
    const { zone, serial } = change;
    const after: ZoneEntity = { ...zone, tenantId, serial, updatedAt: change.nextInstant() };
    await this.zones.setOwner(tx, after);
    await this.shares.deleteWith(tx, zone.id, tenantId);
    await this.contents.makeOwn(tx, zone.id, tenantId);
    await this.ownedResources.makeOwn(tx, zone.id, tenantId);
    await this.zones.countForTenant(tx, tenantId, 1);
    await this.zones.countForTenant(tx, zone.tenantId, -1);
    change.record('zone.transfer', { before: owned(zone), after: owned(after) });
  }
}

function owned(zone: Readonly<ZoneEntity>) {
  return { ...snapshotOf(zone), tenantId: zone.tenantId };
}
