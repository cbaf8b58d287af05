import { Injectable } from '@nestjs/common';
import { assertMayChangeZone, assertMayNameMasters } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { Clock } from '../common/clock.js';
import { ServiceError } from '../common/service-error.js';
import { Superseded } from '../database/database-failure.js';
import { withoutKeepingLocks } from '../database/locks.js';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { assertApexNs } from './apex-ns.js';
import { AllowedPrimaries } from './primaries/allowed-primaries.js';
import type { ChangeHook } from './changes/change-hook.js';
import { HookGuard } from './changes/hook-guard.js';
import { LastSerialRepository } from './serials/last-serial.repository.js';
import { assertPrimaries } from './primaries/primaries.js';
import { assertTtlAllowed } from './minimum-ttl.js';
import { InboundTransferRepository } from './primaries/inbound-transfer.repository.js';
import { StaleSnapshotError, type StagedContents } from './staged-contents.js';
import { ZoneChange } from './changes/zone-change.js';
import { ZoneChanges } from './changes/zone-changes.js';
import { type ZoneCreation, draftZone } from './zone-draft.js';
import { assertMailbox } from './zone-email.js';
import type { NewSecondaryZone, NewZone } from './zone-fields.js';
import { StagedImports } from './staged-imports/staged-imports.js';
import { ZoneLimits } from './zone-limits.js';
import { ZoneNameRules } from './names/zone-name-rules.js';
import { readZoneName } from './names/zone-name.js';
import { ZonePlacement } from './names/zone-placement.js';
import { ZoneCreationBatch } from './zone-creation-batch.js';
import { snapshotOf } from './zone-snapshot.js';
import type { ZoneEntity } from './zone.entity.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesOptions } from './zones.options.js';

/** How zones come to be, primary and secondary ones, empty or with what is in them from the beginning. */
@Injectable()
export class ZoneCreator {
  private readonly allowedMasters: AllowedPrimaries;

  constructor(
    private readonly zones: ZoneRepository,
    private readonly changes: ZoneChanges,
    private readonly creations: ZoneCreationBatch,
    private readonly lastSerials: LastSerialRepository,
    private readonly transfersIn: InboundTransferRepository,
    private readonly nameRules: ZoneNameRules,
    private readonly placement: ZonePlacement,
    private readonly limits: ZoneLimits,
    private readonly clock: Clock,
    private readonly guard: HookGuard,
    private readonly incoming: StagedImports,
    private readonly unitOfWork: UnitOfWork,
    private readonly options: ZonesOptions,
  ) {
    this.allowedMasters = new AllowedPrimaries(options.masters);
  }

  /** @throws ServiceError, such as `duplicate_zone`, `invalid_object` and `over_quota` */
  async create(body: NewZone | NewSecondaryZone, caller: Caller, options: CreateOptions = {}): Promise<ZoneEntity> {
    const { fill, draft, hook: unguarded = null, prepared } = options;
    const hook = unguarded && this.guard.around(unguarded, caller);
    const name = readZoneName(body.name);
    const made = { tenantId: caller.tenantId, nameKey: name.key };
    if ('masters' in body) assertMayNameMasters(caller, made);
    else assertMayChangeZone(caller, 'create', made);
    this.assertFields(body, caller);
    const creation: ZoneCreation = { name, caller, madeAt: draft?.createdAt ?? this.clock.now() };
    const make = async (tx: Transaction): Promise<ZoneChange> => {
      // Held first: what is judged here stays true until the zone is there, whatever other processes do.
      await this.zones.lockNamespace(tx);
      const fresh = await this.freshZone(tx, body, creation);
      await hook?.load?.(tx, fresh);
      hook?.admit?.(fresh);
      await this.assertMayBe(tx, fresh, creation);
      const change = await this.begin(tx, fresh, caller);
      await this.insert(tx, change.zone);
      return change;
    };
    const create = async (tx: Transaction): Promise<ZoneChange> => {
      const change = fill === undefined ? await make(tx) : await this.makeFilled(tx, body, creation, hook, fill);
      await hook?.write?.(tx, { value: change.zoneAfter });
      return change;
    };
    if (fill === undefined && !('masters' in body))
      return this.changes.createInBatch(caller, { body, creation, hook }, this.creations, create);
    if (fill !== undefined && prepared !== undefined)
      return this.createAfterContents(body, creation, hook, { fill, prepared });
    const { zoneAfter } = await this.changes.create(caller, create, { isLong: fill !== undefined });
    return zoneAfter;
  }

  /**
   * The same where the contents come first, in many short changes: nobody sees them before the last one makes the zone. Judged
   * before, a zone that may not be made costs nothing; judged again, it is held against what has come meanwhile.
   */
  private async createAfterContents(
    body: NewZone | NewSecondaryZone,
    creation: ZoneCreation,
    hook: ChangeHook<ZoneEntity> | null,
    { fill, prepared }: Required<Pick<CreateOptions, 'fill' | 'prepared'>>,
  ): Promise<ZoneEntity> {
    const { caller } = creation;
    const on = prepared.transaction;
    const judge = async (tx: Transaction, zone: ZoneEntity): Promise<void> => {
      await this.zones.lockNamespace(tx);
      await hook?.load?.(tx, zone);
      hook?.admit?.(zone);
      await this.assertMayBe(tx, zone, creation);
    };
    const begun = await this.unitOfWork.run(async (tx) => {
      const fresh = await this.freshZone(tx, body, creation);
      await judge(tx, fresh);
      return this.begin(tx, fresh, caller);
    });
    return this.incoming.withStagedImport(begun.zone.id, async (incoming) => {
      await prepared.bringInAhead(begun, (part) => incoming.write(on, part));
      const make = async (tx: Transaction): Promise<ZoneChange> => {
        const { zone } = begun;
        await judge(tx, zone);
        if ((await this.serialOf(tx, zone)) !== zone.serial) throw new StaleSnapshotError();
        await fill(begun, tx);
        await incoming.arrive(tx);
        await this.insert(tx, zone);
        await hook?.write?.(tx, { value: begun.zoneAfter });
        return begun;
      };
      const { zoneAfter } = await this.changes.create(caller, make, { isLong: true, on });
      return zoneAfter;
    });
  }

  /**
   * Fills a zone before it is there, which takes as long as its records do, and only then holds the tree of names. Judged before,
   * a zone that may not be made costs nothing; judged again, it is held against what has come meanwhile.
   */
  private async makeFilled(
    tx: Transaction,
    body: NewZone | NewSecondaryZone,
    creation: ZoneCreation,
    hook: ChangeHook<ZoneEntity> | null,
    fill: FillZone,
  ): Promise<ZoneChange> {
    const fresh = await this.freshZone(tx, body, creation);
    await hook?.load?.(tx, fresh);
    hook?.admit?.(fresh);
    const judge = async (): Promise<void> => {
      await this.zones.lockNamespace(tx);
      await this.assertMayBe(tx, fresh, creation);
    };
    await withoutKeepingLocks(tx, judge);
    const below = await this.zones.stateBelow(tx, fresh.nameKey);
    const change = await this.begin(tx, fresh, creation.caller);
    await fill(change, tx);
    await judge();
    const isOther =
      (await this.zones.stateBelow(tx, fresh.nameKey)) !== below ||
      (await this.serialOf(tx, fresh)) !== change.zone.serial;
    if (isOther) throw new Superseded(`what was around ${fresh.name} has changed while it was filled`);
    await this.insert(tx, change.zone);
    return change;
  }

  /** @throws ServiceError where the zone may not be made */
  private async assertMayBe(
    tx: Transaction,
    fresh: Readonly<ZoneEntity>,
    { name, caller }: ZoneCreation,
  ): Promise<void> {
    await this.nameRules.assertAllowed(tx, name, caller);
    await this.placement.assertAllowed(tx, name, caller);
    const count = await this.zones.zoneCountOf(tx, caller.tenantId);
    await this.limits.assertZoneAllowed(tx, caller.tenantId, count + 1);
    await this.zones.assertNew(tx, fresh);
  }

  /** What can be said of a new zone without looking at any other. */
  private assertFields(body: NewZone | NewSecondaryZone, caller: Caller): void {
    if (!('masters' in body)) {
      assertMailbox(body.email);
      if (body.apexNs) assertApexNs(body.apexNs);
      assertTtlAllowed(body.ttl, this.options.minTtl, caller);
      assertTtlAllowed(body.soaTtl, this.options.minTtl, caller);
      return;
    }
    assertPrimaries(body.masters, this.allowedMasters);
    if (this.options.takesSecondaryZones) return;
    const message =
      'This service publishes no zones on name servers, so it cannot keep SECONDARY zones: create a PRIMARY one.';
    throw ServiceError.ofField('invalid_object', 'type', 'enum', message);
  }

  /** A secondary zone asks its masters at once. */
  private async insert(tx: Transaction, zone: Readonly<ZoneEntity>): Promise<void> {
    await this.zones.insert(tx, zone);
    await this.zones.countForTenant(tx, zone.tenantId, 1);
    if (zone.type === 'SECONDARY') await this.transfersIn.askAt(tx, zone.id, zone.createdAt);
  }

  private async freshZone(
    tx: Transaction,
    body: NewZone | NewSecondaryZone,
    { name, caller, madeAt }: ZoneCreation,
  ): Promise<ZoneEntity> {
    // Lists are in the order of creation, also after the clock went back.
    const createdAt = Math.max(madeAt, (await this.zones.latestCreation(tx)) + 1);
    return draftZone(body, { name, caller, madeAt: this.clock.now() }, createdAt, this.options);
  }

  /**
   * A zone as `create` would make it; nothing of it is stored.
   * @throws ServiceError `invalid_object` for its name
   */
  drafted(body: NewZone, caller: Caller): ZoneEntity {
    const madeAt = this.clock.now();
    return draftZone(body, { name: readZoneName(body.name), caller, madeAt }, madeAt, this.options);
  }

  /** The one that a zone of that name had last, or its own. */
  private async serialOf(tx: Transaction, fresh: Readonly<ZoneEntity>): Promise<number> {
    const last = fresh.type === 'PRIMARY' ? await this.lastSerials.of(tx, fresh.nameKey) : null;
    return last ?? fresh.serial;
  }

  /** Begins the first change of a zone, above the serial that its name had last (behaviour 12.3). */
  private async begin(tx: Transaction, fresh: ZoneEntity, caller: Caller): Promise<ZoneChange> {
    const serial = await this.serialOf(tx, fresh);
    const change = new ZoneChange({ ...fresh, serial }, caller, this.clock.now());
    change.record('zone.create', { before: null, after: snapshotOf({ ...fresh, serial: change.serial }) });
    return change;
  }
}

/** What happens together with the creation of a zone. */
export interface CreateOptions {
  /**
   * Puts something into the new zone, in the same transaction.
   * @internal
   */
  readonly fill?: FillZone;
  /**
   * What `fill` was prepared with: the zone is no younger than what is put into it.
   * @internal
   */
  readonly draft?: Readonly<ZoneEntity>;
  readonly hook?: ChangeHook<ZoneEntity> | null;
  /**
   * What `fill` puts into the zone, where that was prepared.
   * @internal
   */
  readonly prepared?: StagedContents;
}

/** Writes the contents of a zone while it is made. */
type FillZone = (change: ZoneChange, tx: Transaction) => Promise<void>;
