import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { Reads } from '../../database/reads.js';
import type { Transaction } from '../../database/transaction.js';
import { AddressFollower, type ReverseStep } from '../../zones/changes/address-follower.js';
import { ZoneChange } from '../../zones/changes/zone-change.js';
import { ZoneChanges } from '../../zones/changes/zone-changes.js';
import { Clock } from '../../common/clock.js';
import { ZoneRepository } from '../../zones/zone.repository.js';
import { ReverseAddresses } from './reverse-addresses.repository.js';

export interface BuiltPortion {
  readonly steps: readonly ReverseStep[];
  /** The `after` of the next portion; `null`: the zone is done. */
  readonly next: string | null;
}

/** Creates the missing PTR records of a zone, in portions (behaviour 26.7). */
@Injectable()
export class ReverseBuilding {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly zoneChanges: ZoneChanges,
    private readonly addresses: ReverseAddresses,
    private readonly follower: AddressFollower,
    private readonly reads: Reads,
    private readonly clock: Clock,
  ) {}

  /**
   * @param after `next` of the portion before; empty for the first
   * @throws ServiceError `zone_not_found`, `forbidden`, `rate_limited`, `unavailable`
   */
  async build(zoneId: string, caller: Caller, after: string, isDryRun: boolean): Promise<BuiltPortion> {
    if (isDryRun) {
      const zone = await this.zones.find(zoneId, caller);
      return this.reads.run((tx) => this.portion(tx, new ZoneChange(zone, caller, this.clock.now()), after));
    }
    // The zone itself does not change: its lock keeps the addresses as they are.
    return this.zoneChanges.withZoneLock(zoneId, caller, (change, tx) => this.portion(tx, change, after));
  }

  /** Notes the addresses in the change, and plans their PTR records. */
  async portion(tx: Transaction, change: ZoneChange, after: string): Promise<BuiltPortion> {
    const { addresses, next } = await this.addresses.page(tx, change.zone, after);
    for (const address of addresses) change.addresses.add(address);
    return { steps: change.addresses.isEmpty ? [] : await this.follower.plan(tx, change), next };
  }
}
