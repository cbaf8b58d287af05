import { Injectable } from '@nestjs/common';
import { allOf } from '../common/all-of.js';
import { Clock, type Instant } from '../common/clock.js';
import { groupedBy } from '../common/grouped.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { Batch, Outcome } from '../database/unit-of-work.js';
import { isKeyWithin } from '../dns/name-key.js';
import type { ChangeHook } from './changes/change-hook.js';
import { NeedsExclusiveLock } from './changes/needs-exclusive-lock.js';
import { ZoneChange } from './changes/zone-change.js';
import type { WeighedChange } from './changes/zone-changes.js';
import { JournalRepository } from './journal/journal.repository.js';
import { ZoneNameRules } from './names/zone-name-rules.js';
import { ZonePlacement } from './names/zone-placement.js';
import { LastSerialRepository } from './serials/last-serial.repository.js';
import { draftZone, type ZoneCreation } from './zone-draft.js';
import type { NewZone } from './zone-fields.js';
import { ZoneLimits } from './zone-limits.js';
import { snapshotOf } from './zone-snapshot.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesOptions } from './zones.options.js';

/** An empty primary zone that is to be made. */
export interface NewEmptyZone {
  readonly body: NewZone;
  readonly creation: ZoneCreation;
  readonly hook: ChangeHook<ZoneEntity> | null;
}

type ZoneCreationRequest = WeighedChange<NewEmptyZone>;

interface PendingZone {
  readonly asked: ZoneCreationRequest;
  fresh: ZoneEntity;
  outcome: Outcome<ZoneEntity> | null;
  /** That there is a zone of the name. */
  duplicate: ServiceError | null;
}

/**
 * Makes the zones that are asked for at the same time: judged by what is read for all of them together, and written together.
 * What would have to wait for a zone above it, or for another change of what its tenant has, is refused with `NeedsExclusiveLock`.
 */
@Injectable()
export class ZoneCreationBatch implements Batch<ZoneCreationRequest, ZoneEntity> {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly lastSerials: LastSerialRepository,
    private readonly journal: JournalRepository,
    private readonly nameRules: ZoneNameRules,
    private readonly placement: ZonePlacement,
    private readonly limits: ZoneLimits,
    private readonly clock: Clock,
    private readonly options: ZonesOptions,
  ) {}

  async run(tx: Transaction, asked: readonly ZoneCreationRequest[]): Promise<Outcome<ZoneEntity>[]> {
    // Held first: what is judged here stays true until the zones are there, whatever other processes do.
    await this.zones.lockNamespace(tx);
    const outcomes: Outcome<ZoneEntity>[] = [];
    for (const round of roundsOf(asked)) outcomes.push(...(await this.make(tx, round)));
    return outcomes;
  }

  runFree(tx: Transaction, asked: readonly ZoneCreationRequest[]): Promise<Outcome<ZoneEntity>[]> {
    return this.run(tx, asked);
  }

  /** @param round zones of which none is above another */
  private async make(tx: Transaction, round: readonly ZoneCreationRequest[]): Promise<Outcome<ZoneEntity>[]> {
    const pending = await this.drafts(tx, round);
    await allOf(pending.map((one) => judged(one, () => this.judge(tx, one))));
    const byTenant = groupedBy(pending.filter(isUndecided), ({ fresh: { tenantId } }) => tenantId);
    const counts = await this.zones.freeZoneCountsOf(tx, [...byTenant.keys()]);
    await allOf(
      [...byTenant].map(([tenantId, ofTenant]) =>
        this.judgeCount(tx, ofTenant, tenantId, counts.get(tenantId) ?? null),
      ),
    );
    const now = this.clock.now();
    const changes = pending.filter(isUndecided).map((one) => begin(one, now));
    await allOf([
      this.zones.insertAll(
        tx,
        changes.map(({ zoneAfter }) => zoneAfter),
      ),
      this.journal.insertAll(
        tx,
        changes.flatMap((change) => change.takeEntries()),
      ),
      this.countForTenants(tx, changes),
      ...pending.map((one) => writeHooks(tx, one)),
    ]);
    return pending.map(({ outcome }) => outcome ?? { error: new Error('a zone was passed over') });
  }

  /** Lists are in the order of creation, also after the clock went back. */
  private async drafts(tx: Transaction, round: readonly ZoneCreationRequest[]): Promise<PendingZone[]> {
    let latest = await this.zones.latestCreation(tx);
    const now = this.clock.now();
    return round.map((asked) => {
      const { body, creation } = asked;
      latest = Math.max(creation.madeAt, latest + 1);
      return {
        asked,
        fresh: draftZone(body, { ...creation, madeAt: now }, latest, this.options),
        outcome: null,
        duplicate: null,
      };
    });
  }

  /** @throws ServiceError where the zone may not be made */
  private async judge(tx: Transaction, one: PendingZone): Promise<void> {
    const { asked, fresh } = one;
    const { hook, creation } = asked;
    await hook?.load?.(tx, fresh);
    hook?.admit?.(fresh);
    await this.nameRules.assertAllowed(tx, creation.name, creation.caller);
    await this.placement.assertAllowed(tx, creation.name, creation.caller, { waits: false });
    // The one that a zone of that name had last, or its own.
    const [last, duplicate] = await allOf([
      this.lastSerials.of(tx, fresh.nameKey),
      refusalOf(() => this.zones.assertNew(tx, fresh)),
    ]);
    one.fresh = { ...fresh, serial: last ?? fresh.serial };
    one.duplicate = duplicate;
  }

  /**
   * As many as the tenant may have, in the order in which they were asked for.
   * @param count how many it has; `null` where somebody else is changing that
   */
  private async judgeCount(
    tx: Transaction,
    ofTenant: readonly PendingZone[],
    tenantId: string,
    count: number | null,
  ): Promise<void> {
    if (count === null) {
      for (const one of ofTenant) one.outcome = { error: new NeedsExclusiveLock(one.fresh.name) };
      return;
    }
    const refusal = (zones: number) => refusalOf(() => this.limits.assertZoneAllowed(tx, tenantId, zones));
    const areAllAllowed = ofTenant.length > 1 && (await refusal(count + ofTenant.length)) === null;
    let made = count;
    for (const one of ofTenant) {
      const error = (areAllAllowed ? null : await refusal(made + 1)) ?? one.duplicate;
      if (error === null) made += 1;
      else one.outcome = { error };
    }
  }

  private async countForTenants(tx: Transaction, changes: readonly ZoneChange[]): Promise<void> {
    for (const [tenantId, { length }] of groupedBy(changes, ({ zone }) => zone.tenantId))
      await this.zones.countForTenant(tx, tenantId, length);
  }
}

/** Of a zone that was refused nothing is written. */
async function writeHooks(tx: Transaction, { asked: { hook }, outcome }: PendingZone): Promise<void> {
  if (outcome !== null && 'value' in outcome) await hook?.write?.(tx, outcome);
}

function isUndecided({ outcome }: PendingZone): boolean {
  return outcome === null;
}

async function judged(one: PendingZone, judge: () => Promise<void>): Promise<void> {
  const error = await refusalOf(judge);
  if (error !== null) one.outcome = { error };
}

async function refusalOf(judge: () => Promise<void>): Promise<ServiceError | null> {
  try {
    await judge();
    return null;
  } catch (error) {
    if (error instanceof ServiceError) return error;
    throw error;
  }
}

/** The first change of a zone, above the serial that its name had last (behaviour 12.3). */
function begin(one: PendingZone, now: Instant): ZoneChange {
  const { fresh, asked } = one;
  const { caller } = asked.creation;
  const change = new ZoneChange(fresh, caller, now);
  change.record('zone.create', { before: null, after: snapshotOf({ ...fresh, serial: change.serial }) });
  asked.weigh(change.weight);
  one.outcome = { value: change.zoneAfter };
  return change;
}

/** Of two of which one would be above the other, or which have one name, the later one is judged when the first is there. */
function* roundsOf(asked: readonly ZoneCreationRequest[]): Generator<readonly ZoneCreationRequest[]> {
  let round: ZoneCreationRequest[] = [];
  for (const one of asked) {
    const { key } = one.creation.name;
    const isRelated = ({ creation }: ZoneCreationRequest): boolean =>
      isKeyWithin(creation.name.key, key) || isKeyWithin(key, creation.name.key);
    if (round.some(isRelated)) {
      yield round;
      round = [];
    }
    round.push(one);
  }
  if (round.length > 0) yield round;
}
