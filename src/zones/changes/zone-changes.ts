import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { assertMayChangeZone } from '../../auth/policy.js';
import { allOf } from '../../common/all-of.js';
import type { Caller, Action } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import type { Transaction } from '../../database/transaction.js';
import { type Batch, UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import { ChangeLimits, NoChangeLimits } from './change-limits.js';
import { AddressFollower } from './address-follower.js';
import { JournalRepository } from '../journal/journal.repository.js';
import { ZoneChange } from './zone-change.js';
import { CommitHooks } from './zone-change-notifier.js';
import type { ZoneEntity } from '../zone.entity.js';
import { noSuchZone, ZoneRepository } from '../zone.repository.js';
import { ServiceError } from '../../common/service-error.js';

export interface ChangeScope {
  /** Permission for scoped tokens (behaviour 14.2); `records` are checked one by one. Absent: they are rejected. */
  readonly does?: Action | 'records';
  /** Whether the change may take seconds. */
  readonly isLong?: boolean;
  /** The connection that prepared the change. */
  readonly on?: Transaction;
  /** The change whose rows were written ahead. */
  readonly begun?: ZoneChange;
  /** Skips the rate limit, for changes by the service. */
  readonly isUnlimited?: boolean;
}

const UNLIMITED = new NoChangeLimits();

/** Changes that lock the namespace queue for each other only. */
const NAMESPACE_QUEUE = 'tree of zones';

function assertMayDo(caller: Caller, does: ChangeScope['does'] | null, zone: Readonly<ZoneEntity>): void {
  if (does !== 'records') assertMayChangeZone(caller, does ?? null, zone);
}

interface BatchedChange {
  readonly zoneId: string;
  readonly caller: Caller;
  readonly isDryRun: boolean;
  readonly isUnlimited: boolean;
}

/** Reports `ZoneChange.weight`. */
export type WeighedChange<Change> = Change & { readonly weigh: (weight: number) => void };

/** The only way to change a zone or its contents: lock the zone row first, then change everything else. */
@Injectable()
export class ZoneChanges {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: ZoneRepository,
    private readonly journal: JournalRepository,
    private readonly limits: ChangeLimits,
    private readonly commits: CommitHooks,
    private readonly addresses: AddressFollower,
    private readonly clock: Clock,
  ) {}

  /** `batch` loads, judges and writes concurrent changes together. `size` is the number of operations. */
  async runBatch<Change extends BatchedChange, Result extends { readonly alsoChanged?: readonly string[] }>(
    change: Change,
    size: number,
    batch: Batch<WeighedChange<Change>, Result>,
  ): Promise<Result> {
    const { zoneId, caller } = change;
    const { tenantId } = caller;
    const result = await this.limitsFor(change).run(tenantId, (weigh) =>
      this.unitOfWork.runInBatch(batch, { ...change, weigh }, { zoneId, tenantId, size }),
    );
    if (!change.isDryRun) this.tell(zoneId, result.alsoChanged);
    return result;
  }

  /** Runs `work` under the zone lock and writes its steps, atomically. `work` judges before it writes. */
  withZoneLock<T>(
    zoneId: string,
    caller: Caller,
    work: (change: ZoneChange, tx: Transaction) => Promise<T>,
    scope: ChangeScope = {},
  ): Promise<T> {
    return this.run(caller, { ...scope, zoneId, takesZone: true }, async (tx) => {
      const zone = await this.zones.lock(tx, zoneId, caller);
      assertMayDo(caller, scope.does ?? null, zone);
      const change = scope.begun?.on(zone) ?? new ZoneChange(zone, caller, this.clock.now());
      return { change, result: await work(change, tx) };
    });
  }

  /** Blocks creates of zones. The caller need not own the zone. */
  withNamespaceLock<T>(
    zoneId: string,
    caller: Caller,
    work: (change: ZoneChange, tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.run(caller, { queue: NAMESPACE_QUEUE }, async (tx) => {
      // Lock order: a create locks the namespace first, then zones.
      await this.zones.lockNamespace(tx);
      const zone = await this.zones.lockAny(tx, zoneId);
      if (zone === undefined) throw noSuchZone();
      assertMayDo(caller, null, zone);
      const change = new ZoneChange(zone, caller, this.clock.now());
      return { change, result: await work(change, tx) };
    });
  }

  create(caller: Caller, work: (tx: Transaction) => Promise<ZoneChange>, scope: ChangeScope = {}): Promise<ZoneChange> {
    // A long change locks the namespace only at its end, so it does not queue.
    const queue = scope.isLong === true ? `${NAMESPACE_QUEUE} ${randomUUID()}` : NAMESPACE_QUEUE;
    return this.run(caller, { ...scope, queue }, async (tx) => {
      const change = await work(tx);
      assertMayDo(caller, 'create', change.zone);
      return { change, result: change };
    });
  }

  /** @param alone creates the zone if `batch` throws `NeedsExclusiveLock` */
  async createInBatch<Asked extends object>(
    { tenantId }: Caller,
    asked: Asked,
    batch: Batch<WeighedChange<Asked>, ZoneEntity>,
    alone: (tx: Transaction) => Promise<ZoneChange>,
  ): Promise<ZoneEntity> {
    const zone = await this.limits.run(tenantId, async (weigh) => {
      try {
        return await this.unitOfWork.runInBatch(
          batch,
          { ...asked, weigh },
          { queue: NAMESPACE_QUEUE, tenantId, size: 1 },
        );
      } catch (error) {
        if (!(error instanceof NeedsExclusiveLock)) throw error;
      }
      const { change } = await this.perform({ queue: NAMESPACE_QUEUE, tenantId }, weigh, async (tx) => ({
        change: await alone(tx),
      }));
      return change.zoneAfter;
    });
    this.commits.tell(zone.id);
    return zone;
  }

  private async run<T>(
    { tenantId }: Caller,
    scope: ChangeScope & Pick<WorkScope, 'zoneId' | 'takesZone' | 'queue'>,
    work: (tx: Transaction) => Promise<{ readonly change: ZoneChange; readonly result: T }>,
  ): Promise<T> {
    const { change, result, alsoChanged } = await this.limitsFor(scope).run(tenantId, (weigh) =>
      this.perform({ ...scope, tenantId }, weigh, work),
    );
    this.tell(change.zone.id, alsoChanged);
    return result;
  }

  private async perform<Done extends { readonly change: ZoneChange }>(
    scope: WorkScope,
    weigh: (weight: number) => void,
    work: (tx: Transaction) => Promise<Done>,
  ): Promise<Done & { readonly alsoChanged: readonly string[] }> {
    const done = await this.unitOfWork.run(async (tx) => {
      const result = await work(tx);
      await this.write(tx, result.change);
      const alsoChanged = result.change.addresses.isEmpty ? [] : await this.addresses.follow(tx, [result.change]);
      return { ...result, alsoChanged };
    }, scope);
    weigh(done.change.weight);
    return done;
  }

  private limitsFor({ isUnlimited = false }: Pick<ChangeScope, 'isUnlimited'>): ChangeLimits {
    return isUnlimited ? UNLIMITED : this.limits;
  }

  private tell(zoneId: string, others: readonly string[] = []): void {
    for (const id of [zoneId, ...others]) this.commits.tell(id);
  }

  /** Writes the steps so far, so that a change of a million records does not hold them in memory. */
  async writeSteps(tx: Transaction, change: ZoneChange): Promise<void> {
    await allOf([this.journal.insertAll(tx, change.takeEntries()), change.showSteps()]);
  }

  private async write(tx: Transaction, change: ZoneChange): Promise<void> {
    const { zone, zoneAfter } = change;
    await allOf([
      this.writeSteps(tx, change),
      ...(zoneAfter === zone ? [] : [this.zones.closeChange(tx, zone, zoneAfter)]),
    ]);
  }
}

const PAGE_SIZE = 128;

/** Changes each page concurrently; skips zones that are deleted meanwhile. Returns the number of changed zones. */
export async function changeEach(
  page: (marker: string, limit: number) => Promise<readonly { readonly id: string }[]>,
  change: (id: string) => Promise<void>,
): Promise<number> {
  let changed = 0;
  for (let marker = ''; ;) {
    const zones = await page(marker, PAGE_SIZE);
    const answers = await Promise.all(zones.map(({ id }) => unlessDeleted(change(id))));
    changed += answers.filter((isThere) => isThere).length;
    const last = zones.at(-1);
    if (last === undefined) return changed;
    marker = last.id;
  }
}

async function unlessDeleted(change: Promise<void>): Promise<boolean> {
  try {
    await change;
    return true;
  } catch (error) {
    if (error instanceof ServiceError && error.code === 'zone_not_found') return false;
    throw error;
  }
}

/** Another transaction holds a lock that the create needs. Nothing is decided. */
export class NeedsExclusiveLock extends ServiceError {
  constructor(name: string) {
    super('unavailable', `Another transaction holds a lock that the create of ${name} needs.`);
  }
}
