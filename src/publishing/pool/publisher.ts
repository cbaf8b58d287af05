import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import type { TaskHandle } from '../../background/background-task.js';
import { Clock } from '../../common/clock.js';
import { groupedBy } from '../../common/grouped.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { DomainName } from '../../dns/name.js';
import { SerialRaisingService } from '../../zones/serials/serial-raising.service.js';
import { CommitHooks } from '../../zones/changes/commit-hooks.js';
import { ZoneChangeNotifier } from '../../zones/changes/zone-change-notifier.js';
import { PublicationProgress } from '../../zones/publication-progress.js';
import { CATALOG_ID } from '../catalog/catalog-id.js';
import { CatalogService } from '../catalog/catalog.service.js';
import type { Lease } from '../../background/lease.js';
import { AnswerSamples } from './answer-samples.js';
import { Notifier } from './notifier.js';
import { PoolChecks } from './pool-checks.js';
import { PoolComparison, SHARE_OF_OTHERS } from './pool-comparison.js';
import type { PoolMember } from './pool-member.js';
import { PoolMembers } from './pool-members.js';
import { PoolSyncState } from './pool-sync-state.js';
import { SignedZones } from '../transfers/signed-zones.js';
import { PublicationRepository, type WantedZone } from './publication.repository.js';
import { PublicationWriter } from './publication-writer.js';
import { SerialRecovery } from './serial-recovery.js';
import { SERVER_ID } from './server-id.js';

/** A process without the lease sends a NOTIFY once, and waits so long before the next one, in milliseconds. */
const SINGLE_TIME_LIMIT = 300;
/** How often it is looked whether servers lag behind, in milliseconds. */
const WATCH_INTERVAL = 1000;
/** How soon a check is made again whose outcome could not be compared, in milliseconds. */
const CHECK_AGAIN = 1000;
/** How often it is looked whether more of what servers lack is to be read, and how soon where that is so, in milliseconds. */
const FILLING = { idle: 250, busy: 5 };
/** So many zones that have changed are read at a time. */
const TOLD_AT_A_TIME = 1000;
/** How soon what cannot be told yet is tried again, in milliseconds. */
const TELL_AGAIN = 100;
const FAILURE_MESSAGES = { failing: 'Publishing is delayed', recovered: 'Publishing works again.' };

/** What the process that has the lease knows and does. */
interface Watch {
  readonly pool: PoolSyncState;
  readonly comparison: PoolComparison;
  readonly checks: PoolChecks;
}

/**
 * Tells the name servers of the pool what has changed. Each process sends the NOTIFYs of its own changes at once. The one that
 * has the lease also compares the database with what servers have, repeats what was lost, and asks for proof (ADR 31).
 */
@Injectable()
export class Publisher {
  private readonly members: readonly PoolMember[];
  private readonly notifier = new Notifier();
  private readonly leaders: SerialRecovery;
  private lease: Lease | null = null;
  /** Zones of which it was heard that they have changed, and whether in this process. */
  private changed = new Map<string, boolean>();
  private watch: Watch | null = null;
  private comparing: TaskHandle | null = null;
  private raising: TaskHandle | null = null;
  private readonly stopListening: (() => void)[] = [];

  constructor(
    private readonly pool: PoolMembers,
    private readonly commits: CommitHooks,
    private readonly news: ZoneChangeNotifier,
    private readonly publications: PublicationRepository,
    private readonly background: Scheduler,
    private readonly catalog: CatalogService,
    private readonly progress: PublicationProgress,
    serials: SerialRaisingService,
    private readonly unitOfWork: UnitOfWork,
    signed: SignedZones,
    private readonly clock: Clock,
    private readonly samples: AnswerSamples,
  ) {
    this.leaders = new SerialRecovery(publications, serials, signed);
    this.members = pool.all;
  }

  start(): void {
    if (this.members.length === 0 && !this.catalog.isConfigured) return;
    const lease = this.background.lease('publisher', FAILURE_MESSAGES);
    const { publications, unitOfWork, background, progress } = this;
    const writer = new PublicationWriter(publications, unitOfWork, background, lease, progress, FAILURE_MESSAGES);
    this.lease = lease;
    this.comparing = this.background.add({
      name: 'publishing.comparison',
      lease,
      every: (took) => this.watch?.comparison.pause(took) ?? 0,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.compare(writer, signal),
      shutdown: () => this.end(),
    });
    this.keepWatch(lease);
    const telling = this.background.add({
      name: 'publishing.news',
      // What was changed before it is known who has the lease waits for that.
      every: () => (this.changed.size > 0 ? (this.isReady ? 0 : TELL_AGAIN) : Infinity),
      failureMessages: FAILURE_MESSAGES,
      run: () => this.tell(),
    });
    const note = (zoneId: string, isOurs: boolean): void => {
      this.changed.set(zoneId, isOurs || this.changed.get(zoneId) === true);
      telling.trigger();
    };
    this.news.start();
    this.stopListening.push(
      this.commits.listen((zoneId) => note(zoneId, true)),
      this.news.listen((zoneId) => note(zoneId, false)),
    );
  }

  /** What goes on while this process knows the state of the pool. */
  private keepWatch(lease: Lease): void {
    let hasFound = false;
    this.background.add({
      name: 'publishing.backlog',
      lease,
      every: (took) => (hasFound ? Math.max(FILLING.busy, took) : Math.max(FILLING.idle, SHARE_OF_OTHERS * took)),
      failureMessages: FAILURE_MESSAGES,
      run: async () => {
        hasFound = (await this.watch?.comparison.fillNext()) ?? false;
      },
    });
    const checking = this.background.add({
      name: 'publishing.checks',
      lease,
      every: () => this.watch?.checks.pause ?? WATCH_INTERVAL,
      failureMessages: FAILURE_MESSAGES,
      run: async () =>
        this.watch?.checks.checkNext((error) => {
          this.fail(error);
          checking.delayNext(CHECK_AGAIN);
          checking.trigger(CHECK_AGAIN);
        }),
    });
    // A standby that has taken over may lack what servers were given by another one.
    this.stopListening.push(
      this.news.whenBack(() => {
        this.watch?.checks.beginAnew();
        checking.trigger();
      }),
    );
    this.raising = this.background.add({
      name: 'publishing.leads',
      lease,
      every: () => (this.leaders.isWaiting ? 0 : Infinity),
      failureMessages: FAILURE_MESSAGES,
      run: () => this.leaders.raiseNext(),
    });
    this.background.add({
      name: 'publishing.lags',
      lease,
      every: WATCH_INTERVAL,
      run: () => Promise.resolve(this.watch?.pool.look()),
    });
  }

  private async end(): Promise<void> {
    for (const stop of this.stopListening.splice(0)) stop();
    await this.pool.end();
  }

  private async compare(writer: PublicationWriter, signal: AbortSignal): Promise<void> {
    const { comparison } = (this.watch ??= await this.takeOver(writer, signal));
    await comparison.compareNext();
  }

  /** What is missing is found by comparison. */
  private async takeOver(writer: PublicationWriter, signal: AbortSignal): Promise<Watch> {
    await this.catalog.follow();
    const known = await this.publications.ofZones([CATALOG_ID, SERVER_ID]);
    const catalog = await this.catalog.current();
    const pool = new PoolSyncState(this.members, this.notifier, {
      writer,
      now: () => this.clock.now(),
      isAhead: (zoneId, serial, server) => {
        this.leaders.note({ zoneId, serial, server });
        this.raising?.trigger();
      },
      hasSerial: (zone, member) => void this.sample(pool, member, zone).catch((error: unknown) => this.fail(error)),
    });
    pool.restore(known);
    if (catalog !== null) pool.update(catalog, [], false);
    const { publications, catalog: catalogs } = this;
    const comparison = new PoolComparison(pool, { publications, writer, catalog: catalogs });
    const giveUp = (): void => {
      pool.end();
      this.watch = null;
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

  /** Whether it is known who has the lease, and if it is this process, what there is. */
  private get isReady(): boolean {
    return this.lease?.isKnown === true && (this.watch !== null || !this.lease.isHeld);
  }

  /** What is changed in one turn of the event loop is read together. */
  private async tell(): Promise<void> {
    if (!this.isReady || this.changed.size === 0) return;
    const changed = [...this.changed];
    const some = changed.slice(0, TOLD_AT_A_TIME);
    this.changed = new Map(changed.slice(TOLD_AT_A_TIME));
    const pool = this.watch?.pool ?? null;
    if (pool !== null) await this.updatePool(pool, new Map(some));
    // Other processes tell of what they change.
    else await this.notifyOnce(some.flatMap(([id, isOurs]) => (isOurs ? [id] : [])));
  }

  private async updatePool(pool: PoolSyncState, changed: ReadonlyMap<string, boolean>): Promise<void> {
    const ids = [...changed.keys()];
    const [zones, rows, catalog] = await Promise.all([
      this.publications.zones(ids),
      this.publications.ofZones(ids),
      this.changedCatalog(ids),
    ]);
    if (catalog !== null) pool.update(catalog, [], false);
    const known = groupedBy(rows, ({ zoneId }) => zoneId);
    for (const zone of zones) pool.update(zone, known.get(zone.id) ?? [], changed.get(zone.id) !== true);
    const there = new Set(zones.map(({ id }) => id));
    // What is not among those that are there was deleted.
    for (const id of ids) if (!there.has(id)) pool.remove(id);
  }

  /** The catalog zone, where it follows from the change of these zones. */
  private async changedCatalog(ids: readonly string[]): Promise<WantedZone | null> {
    return (await this.catalog.reconcile(ids)) ? this.catalog.current() : null;
  }

  /** Whoever has the lease sees to the rest, and to what a server has no time for. */
  private async notifyOnce(ids: readonly string[]): Promise<void> {
    const [zones, catalog] = await Promise.all([this.publications.zones(ids), this.changedCatalog(ids)]);
    for (const { id, name } of catalog === null ? zones : [catalog, ...zones])
      for (const member of this.members)
        if (!member.isBusy) void this.notifier.notify(member, { id, name: DomainName.parse(name) }, SINGLE_TIME_LIMIT);
  }

  private fail(error: unknown): void {
    this.comparing?.fail(error);
  }
}
