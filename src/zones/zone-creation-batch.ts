import { Injectable } from '@nestjs/common';
import { allOf } from '../common/all-of.js';
import { Clock, type Instant } from '../common/clock.js';
import { groupedBy } from '../common/grouped.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import type { Batch, Outcome } from '../database/unit-of-work.js';
import { isKeyWithin } from '../dns/name-key.js';
import type { ChangeHook } from './changes/change-hook.js';
import { NeedsExclusiveLock, type WeighedChange } from './changes/zone-changes.js';
import { ZoneChange } from './changes/zone-change.js';
import { JournalRepository } from './journal/journal.repository.js';
import { LastSerialRepository } from './serials/last-serial.repository.js';
import { ZoneAdmission } from './zone-admission.js';
import { draftZone, type ZoneCreation } from './zone-draft.js';
import type { NewZone } from './zone-fields.js';
import { snapshotOf } from './zone-snapshot.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesOptions } from './zones.options.js';

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
  duplicate: ServiceError | null;
}

/** Reads and writes concurrent zones together. Throws `NeedsExclusiveLock` instead of waiting for a lock. */
@Injectable()
export class ZoneCreationBatch implements Batch<ZoneCreationRequest, ZoneEntity> {
  constructor(
    private readonly zones: ZoneRepository,
    private readonly lastSerials: LastSerialRepository,
    private readonly journal: JournalRepository,
    private readonly admission: ZoneAdmission,
    private readonly clock: Clock,
    private readonly options: ZonesOptions,
  ) {}

  async run(tx: Transaction, asked: readonly ZoneCreationRequest[]): Promise<Outcome<ZoneEntity>[]> {
    await this.admission.lockNamespace(tx);
    const outcomes: Outcome<ZoneEntity>[] = [];
    for (const round of roundsOf(asked)) outcomes.push(...(await this.make(tx, round)));
    return outcomes;
  }

  runFree(tx: Transaction, asked: readonly ZoneCreationRequest[]): Promise<Outcome<ZoneEntity>[]> {
    return this.run(tx, asked);
  }

  /** @param round no zone in it is below another */
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
    const made = changes.map(({ zoneAfter }) => zoneAfter);
    const entries = changes.flatMap((change) => change.takeEntries());
    await allOf([
      this.zones.insertAll(tx, made),
      this.journal.insertAll(tx, entries),
      this.countForTenants(tx, changes),
      ...pending.map((one) => writeHooks(tx, one)),
    ]);
    return pending.map(({ outcome }) => outcome ?? { error: new Error('a zone was passed over') });
  }

  /** Lists are in the order of creation, even if the clock went back. */
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

  private async judge(tx: Transaction, one: PendingZone): Promise<void> {
    const { asked, fresh } = one;
    const { hook, creation } = asked;
    await hook?.load?.(tx, fresh);
    hook?.admit?.(fresh);
    await this.admission.assertNameAllowed(tx, creation.name, creation.caller, false);
    const [last, duplicate] = await allOf([
      this.lastSerials.of(tx, fresh.nameKey),
      refusalOf(() => this.zones.assertNew(tx, fresh)),
    ]);
    one.fresh = { ...fresh, serial: last ?? fresh.serial };
    one.duplicate = duplicate;
  }

  /** In the order of the requests. `count` is `null` if another transaction holds the row. */
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
    const refusal = (zones: number) => refusalOf(() => this.admission.assertCountAllowed(tx, tenantId, zones));
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

/** A rejected zone writes nothing. */
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

/** The first change of a zone, above the last serial of its name (behaviour 12.3). */
function begin(one: PendingZone, now: Instant): ZoneChange {
  const { fresh, asked } = one;
  const { caller } = asked.creation;
  const change = new ZoneChange(fresh, caller, now);
  change.record('zone.create', { before: null, after: snapshotOf({ ...fresh, serial: change.serial }) });
  asked.weigh(change.weight);
  one.outcome = { value: change.zoneAfter };
  return change;
}

/** Splits the batch so that a zone is judged after earlier ones above, below or at its name. */
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
