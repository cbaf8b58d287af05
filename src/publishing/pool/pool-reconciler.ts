import { Injectable } from '@nestjs/common';
import type { FailureMessages, TaskHandle } from '../../background/background-task.js';
import type { Lease } from '../../background/lease.js';
import type { Scheduler } from '../../background/scheduler.js';
import { Clock } from '../../common/clock.js';
import { groupedBy } from '../../common/grouped.js';
import { CATALOG_ID } from '../catalog/catalog.entity.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { AnswerSamples } from './answer-samples.js';
import { SERVER_ID } from './name-server-status.js';
import { PoolChecks, PoolComparison, SHARE_OF_OTHERS } from './pool-comparison.js';
import { type PoolMember, PoolMembers } from './pool-member.js';
import { PoolSyncState } from './pool-sync-state.js';
import { PublicationRepository, type WantedZone } from './publication.repository.js';
import { PublicationWriter } from './publication-writer.js';
import { SerialRecovery } from './serial-recovery.js';

/** Interval of the check for lagging servers, in milliseconds. */
const WATCH_INTERVAL = 1000;
/** Delay before a failed check is repeated, in milliseconds. */
const CHECK_AGAIN = 1000;
/** Intervals of loading lacking zones, in milliseconds. */
const FILLING = { idle: 250, busy: 5 };

interface ReconcilerState {
  readonly pool: PoolSyncState;
  readonly comparison: PoolComparison;
  readonly checks: PoolChecks;
}

/** Compares the database with the servers of the pool, retries and asks for proof, while this process holds the lease (ADR 31). */
@Injectable()
export class PoolReconciler {
  private state: ReconcilerState | null = null;
  private comparing: TaskHandle | null = null;
  private checking: TaskHandle | null = null;
  private raising: TaskHandle | null = null;

  constructor(
    private readonly members: PoolMembers,
    private readonly publications: PublicationRepository,
    private readonly catalog: CatalogService,
    private readonly writer: PublicationWriter,
    private readonly recovery: SerialRecovery,
    private readonly samples: AnswerSamples,
    private readonly clock: Clock,
  ) {}

  get isLoaded(): boolean {
    return this.state !== null;
  }

  /** @param shutdown called at the end of the last task */
  addTasks(scheduler: Scheduler, lease: Lease, failureMessages: FailureMessages, shutdown: () => Promise<void>): void {
    this.writer.addTasks(scheduler, lease, failureMessages);
    this.comparing = scheduler.add({
      name: 'publishing.comparison',
      lease,
      every: (took) => this.state?.comparison.pause(took) ?? 0,
      runOnStart: true,
      failureMessages,
      run: (signal) => this.compare(signal),
      shutdown,
    });
    this.addStateTasks(scheduler, lease, failureMessages);
  }

  /** Checks all servers again, because after a failover the new primary may lack changes that servers already have. */
  recheck(): void {
    this.state?.checks.beginAnew();
    this.checking?.trigger();
  }

  /** `changed`: IDs, and whether this process has changed them. Returns whether the state of the pool is loaded. */
  async update(changed: ReadonlyMap<string, boolean>): Promise<boolean> {
    const pool = this.state?.pool;
    if (pool === undefined) return false;
    const ids = [...changed.keys()];
    const [zones, rows, catalog] = await Promise.all([
      this.publications.zones(ids),
      this.publications.ofZones(ids),
      this.catalog.changedBy(ids),
    ]);
    if (catalog !== null) pool.update(catalog, [], false);
    const known = groupedBy(rows, ({ zoneId }) => zoneId);
    for (const zone of zones) pool.update(zone, known.get(zone.id) ?? [], changed.get(zone.id) !== true);
    const there = new Set(zones.map(({ id }) => id));
    // Missing zones were deleted.
    for (const id of ids) if (!there.has(id)) pool.remove(id);
    return true;
  }
  private addStateTasks(scheduler: Scheduler, lease: Lease, failureMessages: FailureMessages): void {
    let hasFound = false;
    scheduler.add({
      name: 'publishing.backlog',
      lease,
      every: (took) => (hasFound ? Math.max(FILLING.busy, took) : Math.max(FILLING.idle, SHARE_OF_OTHERS * took)),
      failureMessages,
      run: async () => {
        hasFound = (await this.state?.comparison.fillNext()) ?? false;
      },
    });
    const checking = scheduler.add({
      name: 'publishing.checks',
      lease,
      every: () => this.state?.checks.pause ?? WATCH_INTERVAL,
      failureMessages,
      run: async () =>
        this.state?.checks.checkNext((error) => {
          this.fail(error);
          checking.delayNext(CHECK_AGAIN);
          checking.trigger(CHECK_AGAIN);
        }),
    });
    this.checking = checking;
    this.raising = scheduler.add({
      name: 'publishing.leads',
      lease,
      every: () => (this.recovery.isWaiting ? 0 : Infinity),
      failureMessages,
      run: () => this.recovery.raiseNext(),
    });
    scheduler.add({
      name: 'publishing.lags',
      lease,
      every: WATCH_INTERVAL,
      run: () => Promise.resolve(this.state?.pool.look()),
    });
  }

  private async compare(signal: AbortSignal): Promise<void> {
    const { comparison } = (this.state ??= await this.takeOver(signal));
    await comparison.compareNext();
  }

  /** The comparison finds the lacking zones. */
  private async takeOver(signal: AbortSignal): Promise<ReconcilerState> {
    await this.catalog.follow();
    const known = await this.publications.ofZones([CATALOG_ID, SERVER_ID]);
    const catalog = await this.catalog.current();
    const pool = new PoolSyncState(this.members.all, this.members.notifier, {
      writer: this.writer,
      now: () => this.clock.now(),
      isAhead: (zoneId, serial, server) => {
        this.recovery.note({ zoneId, serial, server });
        this.raising?.trigger();
      },
      hasSerial: (zone, member) => void this.sample(pool, member, zone).catch((error: unknown) => this.fail(error)),
    });
    pool.restore(known);
    if (catalog !== null) pool.update(catalog, [], false);
    const { publications, writer, catalog: catalogs } = this;
    const comparison = new PoolComparison(pool, { publications, writer, catalog: catalogs });
    const giveUp = (): void => {
      pool.end();
      this.state = null;
    };
    signal.addEventListener('abort', giveUp, { once: true });
    return { pool, comparison, checks: new PoolChecks(pool, publications) };
  }

  private async sample(pool: PoolSyncState, member: PoolMember, zone: WantedZone): Promise<void> {
    const rows = await this.publications.ofZones([zone.id]);
    const earlier = rows.find(({ server }) => server === member.label)?.inconsistency ?? null;
    const outcome = await this.samples.take(member, zone, earlier);
    if (outcome !== null) pool.recordSample(member, zone, await this.publications.ofZones([zone.id]), outcome.finding);
  }

  private fail(error: unknown): void {
    this.comparing?.fail(error);
  }
}
