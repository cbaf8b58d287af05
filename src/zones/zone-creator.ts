import { Injectable } from '@nestjs/common';
import { assertMayChangeZone, assertMayNameMasters } from '../auth/policy.js';
import type { Caller } from '../common/caller.js';
import { Superseded } from '../database/database-failure.js';
import { withoutKeepingLocks } from '../database/locks.js';
import type { Transaction } from '../database/transaction.js';
import { UnitOfWork } from '../database/unit-of-work.js';
import { type ChangeHook, HookGuard } from './changes/change-hook.js';
import { type NewSecondaryZone, type NewZone, readZoneName } from './zone-fields.js';
import { StaleSnapshotError, type StagedContents, StagedImports } from './staged-imports/staged-imports.js';
import type { ZoneChange } from './changes/zone-change.js';
import { ZoneChanges } from './changes/zone-changes.js';
import { ZoneAdmission } from './zone-admission.js';
import { type ZoneCreation, ZoneDrafter } from './zone-draft.js';
import { ZoneCreationBatch } from './zone-creation-batch.js';
import type { ZoneEntity } from './zone.entity.js';

@Injectable()
export class ZoneCreator {
  constructor(
    private readonly changes: ZoneChanges,
    private readonly creations: ZoneCreationBatch,
    private readonly admission: ZoneAdmission,
    private readonly drafter: ZoneDrafter,
    private readonly guard: HookGuard,
    private readonly incoming: StagedImports,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  async create(body: NewZone | NewSecondaryZone, caller: Caller, options: CreateOptions = {}): Promise<ZoneEntity> {
    const { fill, draft, hook: unguarded = null, prepared } = options;
    const hook = unguarded && this.guard.around(unguarded, caller);
    const name = readZoneName(body.name);
    const made = { tenantId: caller.tenantId, nameKey: name.key };
    if ('masters' in body) assertMayNameMasters(caller, made);
    else assertMayChangeZone(caller, 'create', made);
    this.admission.assertFields(body, caller);
    const creation: ZoneCreation = { name, caller, madeAt: draft?.createdAt ?? this.drafter.now() };
    const make = async (tx: Transaction): Promise<ZoneChange> => {
      await this.admission.lockNamespace(tx);
      const fresh = await this.drafter.draft(tx, body, creation);
      await hook?.load?.(tx, fresh);
      hook?.admit?.(fresh);
      await this.admission.assertAllowed(tx, fresh, creation);
      const change = await this.drafter.begin(tx, fresh, caller);
      await this.drafter.insert(tx, change.zone);
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

  /** The first check saves useless work; the check under the final lock decides. */
  private async createAfterContents(
    body: NewZone | NewSecondaryZone,
    creation: ZoneCreation,
    hook: ChangeHook<ZoneEntity> | null,
    { fill, prepared }: Required<Pick<CreateOptions, 'fill' | 'prepared'>>,
  ): Promise<ZoneEntity> {
    const { caller } = creation;
    const on = prepared.transaction;
    const judge = async (tx: Transaction, zone: ZoneEntity): Promise<void> => {
      await this.admission.lockNamespace(tx);
      await hook?.load?.(tx, zone);
      hook?.admit?.(zone);
      await this.admission.assertAllowed(tx, zone, creation);
    };
    const begun = await this.unitOfWork.run(async (tx) => {
      const fresh = await this.drafter.draft(tx, body, creation);
      await judge(tx, fresh);
      return this.drafter.begin(tx, fresh, caller);
    });
    return this.incoming.withStagedImport(begun.zone.id, async (incoming) => {
      await prepared.bringInAhead(begun, (part) => incoming.write(on, part));
      const make = async (tx: Transaction): Promise<ZoneChange> => {
        const { zone } = begun;
        await judge(tx, zone);
        if ((await this.drafter.serialOf(tx, zone)) !== zone.serial) throw new StaleSnapshotError();
        await fill(begun, tx);
        await incoming.arrive(tx);
        await this.drafter.insert(tx, zone);
        await hook?.write?.(tx, { value: begun.zoneAfter });
        return begun;
      };
      const { zoneAfter } = await this.changes.create(caller, make, { isLong: true, on });
      return zoneAfter;
    });
  }

  /** Locks the namespace at the end. The first check saves useless work; the check under the lock decides. */
  private async makeFilled(
    tx: Transaction,
    body: NewZone | NewSecondaryZone,
    creation: ZoneCreation,
    hook: ChangeHook<ZoneEntity> | null,
    fill: FillZone,
  ): Promise<ZoneChange> {
    const fresh = await this.drafter.draft(tx, body, creation);
    await hook?.load?.(tx, fresh);
    hook?.admit?.(fresh);
    const judge = async (): Promise<void> => {
      await this.admission.lockNamespace(tx);
      await this.admission.assertAllowed(tx, fresh, creation);
    };
    await withoutKeepingLocks(tx, judge);
    const surroundings = await this.drafter.surroundingsOf(tx, fresh);
    const change = await this.drafter.begin(tx, fresh, creation.caller);
    await fill(change, tx);
    await judge();
    if ((await this.drafter.surroundingsOf(tx, fresh)) !== surroundings)
      throw new Superseded(`zones around ${fresh.name} have changed while it was filled`);
    await this.drafter.insert(tx, change.zone);
    return change;
  }

  drafted(body: NewZone, caller: Caller): ZoneEntity {
    return this.drafter.drafted(body, caller);
  }
}

/** Work together with the create. */
export interface CreateOptions {
  /** Writes contents in the transaction of the create. @internal */
  readonly fill?: FillZone;
  /** The zone for which the contents were prepared: the new zone is not younger. @internal */
  readonly draft?: Readonly<ZoneEntity>;
  readonly hook?: ChangeHook<ZoneEntity> | null;
  /** The prepared contents for `fill`. @internal */
  readonly prepared?: StagedContents;
}

export type FillZone = (change: ZoneChange, tx: Transaction) => Promise<void>;
