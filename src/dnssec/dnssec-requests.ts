import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { type AuditedAction, AuditTrail } from '../database/audit/audit-trail.js';
import type { Transaction } from '../database/transaction.js';
import type { ZoneChange } from '../zones/changes/zone-change.js';
import { ZoneChanges } from '../zones/changes/zone-changes.js';
import type { ZoneEntity } from '../zones/zone.entity.js';
import { ZonesService } from '../zones/zones.service.js';
import { DnssecOptions } from './dnssec.options.js';
import { RolloverStages } from './rollovers/rollover-stages.js';
import { type LockedZone, SigningContext } from './signing-context.js';
import type { ZoneSigningEntity } from './state/zone-signing.entity.js';
import type { ZoneDnssec } from './zone-dnssec.js';

const UNSIGNED = { keys: [], response: null, rollover: null, parent: null, nextRenewal: null };

/** The common part of all signing requests: finds and locks the zone, records the audit entry, reads the result. */
@Injectable()
export class DnssecRequests {
  constructor(
    private readonly zones: ZonesService,
    private readonly changes: ZoneChanges,
    private readonly context: SigningContext,
    private readonly trail: AuditTrail,
    private readonly options: DnssecOptions,
    private readonly stages: RolloverStages,
    private readonly clock: Clock,
  ) {}

  async of(zoneId: string, caller: Caller): Promise<ZoneDnssec> {
    const zone = await this.zones.get(zoneId, caller);
    return this.context.read((tx) => this.read(tx, zone));
  }

  async read(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<ZoneDnssec> {
    const { lifetimes } = this.options;
    const { signing: rows, keys: keyRows, rollovers, parents, sets } = this.context;
    const signing = (await rows.find(tx, zone.id)) ?? null;
    if (signing === null) return { zone, signing, lifetimes, ...UNSIGNED };
    const keys = (await keyRows.ofZone(tx, zone.id)).filter(({ retiredAt }) => retiredAt === null);
    const rollover = await rollovers.find(tx, zone.id);
    const response =
      signing.keyTtl === null
        ? null
        : {
            isAwaited: await this.stages.awaitsResponse(tx, signing, rollover, this.clock.now()),
            until: await this.context.responses.endOf(tx, signing, keys),
          };
    const parent = await parents.observation(tx, zone.id);
    const nextRenewal = await sets.firstDue(tx, signing);
    return { zone, signing, lifetimes, keys, response, rollover, parent, nextRenewal };
  }

  /** Runs `work` with the locked zone and its row, `undefined` for an unsigned zone. */
  lock<T>(
    zoneId: string,
    caller: Caller,
    work: (tx: Transaction, change: ZoneChange, row: ZoneSigningEntity | undefined) => Promise<T>,
  ): Promise<T> {
    return this.changes.withZoneLock(zoneId, caller, async (change, tx) =>
      work(tx, change, await this.context.signing.lock(tx, zoneId)),
    );
  }

  /** @throws ServiceError `zone_not_found`, `forbidden`, `signing_conflict` for an unsigned zone */
  change(zoneId: string, caller: Caller, work: (locked: LockedZone) => Promise<void>): Promise<ZoneDnssec> {
    return this.lock(zoneId, caller, async (tx, { zone }, row) => {
      if (row === undefined) throw new ServiceError('signing_conflict', `${zone.name} is not signed.`);
      await work({ tx, zone, row });
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
