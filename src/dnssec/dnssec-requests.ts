import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ServiceError } from '../common/service-error.js';
import { type AuditedAction, AuditTrail } from '../database/audit/audit-trail.js';
import { Reads } from '../database/reads.js';
import type { Transaction } from '../database/transaction.js';
import { ZoneChanges } from '../zones/changes/zone-changes.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZonesService } from '../zones/zones.service.js';
import { ZoneKeyRepository } from './keys/zone-key.repository.js';
import { ParentStatus } from './parent/parent-status.js';
import { ZoneRolloverRepository } from './rollovers/zone-rollover.repository.js';
import { SignedSetRepository } from './state/signed-set.repository.js';
import type { ZoneSigningEntity } from './state/zone-signing.entity.js';
import { ZoneSigningRepository } from './state/zone-signing.repository.js';
import type { ZoneDnssec } from './zone-dnssec.js';

const NOTHING_KNOWN = { keys: [], rollover: null, parent: null, nextRenewal: null };

/** What all requests about the signing of zones do: they find a signed zone, note what is done with it, and show it. */
@Injectable()
export class DnssecRequests {
  constructor(
    private readonly zones: ZonesService,
    private readonly changes: ZoneChanges,
    private readonly signing: ZoneSigningRepository,
    private readonly sets: SignedSetRepository,
    private readonly keys: ZoneKeyRepository,
    private readonly rollovers: ZoneRolloverRepository,
    private readonly parents: ParentStatus,
    private readonly trail: AuditTrail,
    private readonly reads: Reads,
  ) {}

  /** @throws ServiceError `zone_not_found` */
  async of(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    const zone = await this.zones.get(zoneId, caller);
    return this.reads.run((tx) => this.read(tx, zone));
  }

  async read(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<ZoneDnssec> {
    const signing = (await this.signing.find(tx, zone.id)) ?? null;
    if (signing === null) return { zone, signing, ...NOTHING_KNOWN };
    const keys = (await this.keys.ofZone(tx, zone.id)).filter(({ retiredAt }) => retiredAt === null);
    const rollover = await this.rollovers.find(tx, zone.id);
    const parent = await this.parents.of(tx, zone.id);
    return { zone, signing, keys, rollover, parent, nextRenewal: await this.sets.firstDue(tx, signing) };
  }

  /** @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict` where it is not signed */
  change(
    zoneId: string,
    caller: Caller,
    work: (tx: Transaction, zone: Readonly<ZoneEntity>, row: ZoneSigningEntity) => Promise<void>,
  ): Promise<ZoneDnssec> {
    return this.changes.withZoneLock(zoneId, caller, async ({ zone }, tx) => {
      const row = await this.signing.lock(tx, zoneId);
      if (row === undefined) throw new ServiceError('signing_conflict', `${zone.name} is not signed.`);
      await work(tx, zone, row);
      return this.read(tx, zone);
    });
  }

  note(
    tx: Transaction,
    caller: Caller,
    action: AuditedAction,
    { id, name, tenantId }: Readonly<ZoneEntity>,
    details: Readonly<Record<string, unknown>>,
  ): Promise<void> {
    return this.trail.record(tx, caller, [
      { action, ownerId: tenantId, zone: { id, name }, subject: { id, name }, details },
    ]);
  }
}
