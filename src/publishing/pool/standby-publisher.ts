import { Injectable } from '@nestjs/common';
import { Scheduler } from '../../background/scheduler.js';
import { Clock, type Instant } from '../../common/clock.js';
import { beginningOf, type TimeCursor } from '../../zones/journal/time-cursor.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { Notifier } from './notifier.js';
import { PoolMembers } from './pool-members.js';
import { type PublicationNotes, PoolSyncState } from './pool-sync-state.js';
import { PublicationRepository, type WantedZone } from './publication.repository.js';
import { ReplayedChangesRepository } from './replayed-changes.repository.js';
import { SerialsSeen } from './serials-seen.js';

/** How often it is looked what has been replayed, in milliseconds. */
const NEWS_INTERVAL = 200;
const STEPS_AT_A_TIME = 1000;
/** Steps have the time at which they were made, and come when they are committed: what is so old is read once more. */
const OVERLAP: Instant = 2_000_000;
/** Of what was changed so long before the start, whoever ran here before may not have told. */
const BEFORE_START: Instant = 600_000_000;
/** From one comparison of all zones to the next at least, in milliseconds. */
const PASS_INTERVAL = 500;
/** The database is left to others for so many times what a portion of it took. */
const SHARE_OF_OTHERS = 20;
const WATCH_INTERVAL = 1000;
const FAILURE_MESSAGES = {
  failing: 'Name servers are not told of changes, since the standby cannot be read',
  recovered: 'Name servers are told of changes again.',
};

/** The side of the primary proves what has arrived where; here nothing can be written down. */
const NOTHING_NOTED: PublicationNotes = { find: () => undefined, write: () => undefined, delete: () => undefined };

/** Tells name servers of what a standby has replayed, where the primary may be out of reach (ADR 65). */
@Injectable()
export class StandbyPublisher {
  private readonly serials = new SerialsSeen();
  private pool: PoolSyncState | null = null;
  /** Up to where steps have been read. */
  private cursor: TimeCursor | null = null;
  private catalogSerial: number | null = null;

  constructor(
    private readonly members: PoolMembers,
    private readonly publications: PublicationRepository,
    private readonly changes: ReplayedChangesRepository,
    private readonly catalog: CatalogService,
    private readonly background: Scheduler,
    private readonly clock: Clock,
  ) {}

  start(): void {
    if (this.members.all.length === 0) return;
    const pool = new PoolSyncState(this.members.all, new Notifier(), {
      writer: NOTHING_NOTED,
      now: () => this.clock.now(),
      // It has had it from somewhere that is further.
      isAhead: () => undefined,
      // The side of the primary looks at answers too.
      hasSerial: () => undefined,
    });
    this.pool = pool;
    this.background.add({
      name: 'publishing.standby-news',
      readOnly: true,
      every: NEWS_INTERVAL,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.readNews(pool, signal),
      shutdown: () => this.end(),
    });
    this.background.add({
      name: 'publishing.standby-comparison',
      readOnly: true,
      every: (took) => Math.max(this.serials.isAtBeginning ? PASS_INTERVAL : 0, SHARE_OF_OTHERS * took),
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: () => this.compareNext(pool),
    });
    this.background.add({
      name: 'publishing.standby-lags',
      readOnly: true,
      every: WATCH_INTERVAL,
      run: () => {
        pool.look();
        return Promise.resolve();
      },
    });
  }

  private async end(): Promise<void> {
    this.pool?.end();
    await this.members.end();
  }

  /** What the journals tell, soon after it has come. */
  private async readNews(pool: PoolSyncState, signal: AbortSignal): Promise<void> {
    let cursor = this.cursor ?? beginningOf((await this.changes.latest()) - BEFORE_START);
    while (!signal.aborted) {
      const steps = await this.changes.later(cursor, STEPS_AT_A_TIME);
      await this.tell(pool, [...new Set(steps.map(({ id }) => id))], this.cursor === null);
      cursor = steps.at(-1) ?? cursor;
      if (steps.length < STEPS_AT_A_TIME) break;
    }
    this.cursor = beginningOf(Math.max(this.cursor?.at ?? 0, cursor.at - OVERLAP));
    await this.tellOfCatalog(pool);
  }

  /** @param isFirst whether a comparison may have seen them before anybody was told */
  private async tell(pool: PoolSyncState, ids: readonly string[], isFirst: boolean): Promise<void> {
    if (ids.length === 0) return;
    const zones = await this.publications.zones(ids);
    for (const zone of zones) if (this.serials.take(zone) || isFirst) pool.update(zone, [], false);
    const there = new Set(zones.map(({ id }) => id));
    for (const id of ids) if (!there.has(id)) this.forget(pool, id);
  }

  private async tellOfCatalog(pool: PoolSyncState): Promise<void> {
    const catalog = await this.catalog.current();
    if (catalog === null || catalog.serial === this.catalogSerial) return;
    this.catalogSerial = catalog.serial;
    pool.update(catalog, [], false);
  }

  /** What was committed long after it was made, and signatures that were renewed, which no journal tells of. */
  private async compareNext(pool: PoolSyncState): Promise<void> {
    const { marker, chunk } = this.serials;
    const zones: readonly WantedZone[] = await this.publications.pageOfZones(marker, chunk);
    const { changed, gone } = this.serials.compare(zones);
    for (const zone of changed) pool.update(zone, [], false);
    for (const id of gone) this.forget(pool, id);
  }

  private forget(pool: PoolSyncState, id: string): void {
    this.serials.forget(id);
    pool.remove(id);
  }
}
