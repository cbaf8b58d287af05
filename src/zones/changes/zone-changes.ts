import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { assertMayChangeZone } from '../../auth/policy.js';
import { allOf } from '../../common/all-of.js';
import type { Caller } from '../../common/caller.js';
import { Clock } from '../../common/clock.js';
import type { Action } from '../../common/restrictions.js';
import type { Transaction } from '../../database/transaction.js';
import { type Batch, UnitOfWork, type WorkScope } from '../../database/unit-of-work.js';
import { ChangeLimits, NoChangeLimits } from './change-limits.js';
import { JournalRepository } from '../journal/journal.repository.js';
import { NeedsExclusiveLock } from './needs-exclusive-lock.js';
import { ZoneChange } from './zone-change.js';
import { CommitHooks } from './commit-hooks.js';
import type { ZoneEntity } from '../zone.entity.js';
import { noSuchZone, ZoneRepository } from '../zone.repository.js';

/** How a change is treated. */
export interface ChangeScope {
  /**
   * What it does, which callers that are limited to some work may be allowed (behaviour 14.2): something to the zone, or to
   * records, which are judged one by one. What does not say so is not for them.
   */
  readonly does?: Action | 'records';
  /** It may take seconds. */
  readonly isLong?: boolean;
  /** The connection on which it was prepared. */
  readonly on?: Transaction;
  /** The service makes it for itself, and no tenant is to wait for that. */
  readonly isUnlimited?: boolean;
}

const UNLIMITED = new NoChangeLimits();

/** What takes the tree of names waits for whatever else does, and for nothing else. */
const NAMESPACE_QUEUE = 'tree of zones';

function assertMayDo(caller: Caller, does: ChangeScope['does'] | null, zone: Readonly<ZoneEntity>): void {
  if (does !== 'records') assertMayChangeZone(caller, does ?? null, zone);
}

/** A change that is made together with others. */
interface BatchedChange {
  readonly zoneId: string;
  readonly caller: Caller;
  readonly isDryRun: boolean;
  readonly isUnlimited: boolean;
}

/** The same, where somebody is told how much of the disk it takes for good: `ZoneChange.weight`. */
export type WeighedChange<Change> = Change & { readonly weigh: (weight: number) => void };

/** The one way in which a zone or anything in it changes: its row first, everything else inside. */
@Injectable()
export class ZoneChanges {
  constructor(
    private readonly unitOfWork: UnitOfWork,
    private readonly zones: ZoneRepository,
    private readonly journal: JournalRepository,
    private readonly limits: ChangeLimits,
    private readonly commits: CommitHooks,
    private readonly clock: Clock,
  ) {}

  /**
   * The way of changes that are judged in memory: `batch` loads, judges and writes together what arrives together.
   * @param size in single operations
   * @throws ServiceError `rate_limited`, `unavailable`, and what `batch` refuses the change with
   */
  async runBatch<Change extends BatchedChange, Result>(
    change: Change,
    size: number,
    batch: Batch<WeighedChange<Change>, Result>,
  ): Promise<Result> {
    const { zoneId, caller } = change;
    const { tenantId } = caller;
    const result = await this.limitsFor(change).run(tenantId, (weigh) =>
      this.unitOfWork.runInBatch(batch, { ...change, weigh }, { zoneId, tenantId, size }),
    );
    if (!change.isDryRun) this.commits.tell(zoneId);
    return result;
  }

  /**
   * Runs `work` while the zone is held, and writes what it has noted; all of it is committed or nothing. It judges before it
   * writes.
   * @throws ServiceError `zone_not_found`, `forbidden`, `rate_limited`, `unavailable`, and what `work` throws
   */
  withZoneLock<T>(
    zoneId: string,
    caller: Caller,
    work: (change: ZoneChange, tx: Transaction) => Promise<T>,
    scope: ChangeScope = {},
  ): Promise<T> {
    return this.run(caller, { ...scope, zoneId, takesZone: true }, async (tx) => {
      const zone = await this.zones.lock(tx, zoneId, caller);
      assertMayDo(caller, scope.does ?? null, zone);
      const change = new ZoneChange(zone, caller, this.clock.now());
      return { change, result: await work(change, tx) };
    });
  }

  /**
   * The same while no zone is made by anybody, where the zone itself need not be the caller's.
   * @throws ServiceError `zone_not_found`, `forbidden`, `rate_limited`, `unavailable`, and what `work` throws
   */
  withNamespaceLock<T>(
    zoneId: string,
    caller: Caller,
    work: (change: ZoneChange, tx: Transaction) => Promise<T>,
  ): Promise<T> {
    return this.run(caller, { queue: NAMESPACE_QUEUE }, async (tx) => {
      // Before the zone: whoever makes one holds the tree and then waits for zones.
      await this.zones.lockNamespace(tx);
      const zone = await this.zones.lockAny(tx, zoneId);
      if (zone === undefined) throw noSuchZone();
      assertMayDo(caller, null, zone);
      const change = new ZoneChange(zone, caller, this.clock.now());
      return { change, result: await work(change, tx) };
    });
  }

  /**
   * Runs `work`, which creates a zone, in the same way.
   * @throws ServiceError `forbidden`, `rate_limited`, `unavailable`, and what `work` throws
   */
  create(caller: Caller, work: (tx: Transaction) => Promise<ZoneChange>, scope: ChangeScope = {}): Promise<ZoneChange> {
    // A long one takes the tree at its end, and until then is in nobody's way.
    const queue = scope.isLong === true ? `${NAMESPACE_QUEUE} ${randomUUID()}` : NAMESPACE_QUEUE;
    return this.run(caller, { ...scope, queue }, async (tx) => {
      const change = await work(tx);
      assertMayDo(caller, 'create', change.zone);
      return { change, result: change };
    });
  }

  /**
   * The same of zones that are judged and written together with whatever others are made at the time.
   * @param alone makes the zone where `batch` says `NeedsExclusiveLock`
   * @throws ServiceError `rate_limited`, `unavailable`, and what `batch` and `alone` refuse it with
   */
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
    const { change, result } = await this.limitsFor(scope).run(tenantId, (weigh) =>
      this.perform({ ...scope, tenantId }, weigh, work),
    );
    this.commits.tell(change.zone.id);
    return result;
  }

  private async perform<Done extends { readonly change: ZoneChange }>(
    scope: WorkScope,
    weigh: (weight: number) => void,
    work: (tx: Transaction) => Promise<Done>,
  ): Promise<Done> {
    const done = await this.unitOfWork.run(async (tx) => {
      const result = await work(tx);
      await this.write(tx, result.change);
      return result;
    }, scope);
    weigh(done.change.weight);
    return done;
  }

  private limitsFor({ isUnlimited = false }: Pick<ChangeScope, 'isUnlimited'>): ChangeLimits {
    return isUnlimited ? UNLIMITED : this.limits;
  }

  /** Writes the steps that a change has noted so far: one of a million records does not hold them in memory. */
  async writeSteps(tx: Transaction, change: ZoneChange): Promise<void> {
    await allOf([this.journal.insertAll(tx, change.takeEntries()), change.showSteps()]);
  }

  /** Writes what a change has left of it: its steps, and the row of the zone. */
  private async write(tx: Transaction, change: ZoneChange): Promise<void> {
    const { zone, zoneAfter } = change;
    await allOf([this.writeSteps(tx, change), ...(zoneAfter === zone ? [] : [this.zones.closeChange(tx, zoneAfter)])]);
  }
}
