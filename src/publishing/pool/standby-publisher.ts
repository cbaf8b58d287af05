import { Injectable } from '@nestjs/common';
import type { BackgroundService, Scheduler } from '../../background/scheduler.js';
import { Clock, type Instant } from '../../common/clock.js';
import { beginningOf, type TimeCursor } from '../../zones/journal/time-cursor.js';
import { CatalogService } from '../catalog/catalog.service.js';
import { PoolMembers } from './pool-member.js';
import { type PublicationNotes, PoolSyncState } from './pool-sync-state.js';
import { PublicationRepository, type WantedZone } from './publication.repository.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import { inKeyOrder } from '../../database/statements/walk.js';

const LATEST_SQL = (index: string): string => `SELECT at FROM journal${index} ORDER BY at DESC LIMIT 1`;
const LATEST = new Statement<{ readonly at: Instant }>(LATEST_SQL(' INDEXED BY journal_in_time'), LATEST_SQL(''));
const LATER_SQL = (index: string): string =>
  `SELECT at, zone_id AS id, number FROM journal${index} WHERE (at, zone_id, number) > (?, ?, ?)` +
  ' ORDER BY at, zone_id, number LIMIT ?';
const LATER = new Statement<TimeCursor>(LATER_SQL(' INDEXED BY journal_in_time'), LATER_SQL(''));

@Injectable()
export class ReplayedChangesRepository {
  constructor(private readonly reads: Reads) {}

  async latest(): Promise<Instant> {
    return (await this.reads.run((tx) => inKeyOrder(tx, () => LATEST.first(tx, []))))?.at ?? 0;
  }

  later({ at, id, number }: TimeCursor, limit: number): Promise<TimeCursor[]> {
    return this.reads.run((tx) => inKeyOrder(tx, () => LATER.rows(tx, [at, id, number, limit])));
  }
}

/** In milliseconds. */
const NEWS_INTERVAL = 200;
const STEPS_AT_A_TIME = 1000;
/** Steps become visible at commit, after their timestamps: recent ones are read again. */
const OVERLAP: Instant = 2_000_000;
/** The previous process may not have announced the last changes. */
const BEFORE_START: Instant = 600_000_000;
/** Minimum time between two full comparisons, in milliseconds. */
const PASS_INTERVAL = 500;
/** The database stays free for this multiple of the time that a portion took. */
const SHARE_OF_OTHERS = 20;
const WATCH_INTERVAL = 1000;
const FAILURE_MESSAGES = {
  failing: 'NOTIFY for replayed changes is delayed',
  recovered: 'NOTIFY for replayed changes works again.',
};

/** The primary site stores statuses; a standby cannot write. */
const NOTHING_NOTED: PublicationNotes = { find: () => undefined, write: () => undefined, delete: () => undefined };

/** Notifies name servers of changes that a standby replays, for sites that cannot reach the primary (ADR 65). */
@Injectable()
export class StandbyPublisher implements BackgroundService {
  private readonly serials = new SerialsSeen();
  private pool: PoolSyncState | null = null;
  private cursor: TimeCursor | null = null;
  private catalogSerial: number | null = null;

  constructor(
    private readonly members: PoolMembers,
    private readonly publications: PublicationRepository,
    private readonly changes: ReplayedChangesRepository,
    private readonly catalog: CatalogService,
    private readonly clock: Clock,
  ) {}

  addTasks(scheduler: Scheduler): void {
    if (this.members.all.length === 0) return;
    const pool = new PoolSyncState(this.members.all, this.members.notifier, {
      writer: NOTHING_NOTED,
      now: () => this.clock.now(),
      // Another site has published a later serial.
      isAhead: () => undefined,
      // The primary site samples answers.
      hasSerial: () => undefined,
    });
    this.pool = pool;
    scheduler.add({
      name: 'publishing.standby-news',
      readOnly: true,
      every: NEWS_INTERVAL,
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: (signal) => this.readNews(pool, signal),
      shutdown: () => this.end(),
    });
    scheduler.add({
      name: 'publishing.standby-comparison',
      readOnly: true,
      every: (took) => Math.max(this.serials.isAtBeginning ? PASS_INTERVAL : 0, SHARE_OF_OTHERS * took),
      runOnStart: true,
      failureMessages: FAILURE_MESSAGES,
      run: () => this.compareNext(pool),
    });
    scheduler.add({
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

  /** @param isFirst whether a comparison may have seen the changes before any NOTIFY */
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

  /** Finds late commits and renewed signatures, which the journal does not show. */
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

const PORTION = 1000;
/** Serials have 32 bits; the bit above marks the pass in which the zone was last seen. */
const OF_OTHER_PASS = 2 ** 32;

export class SerialsSeen {
  private readonly marked = new Map<string, number>();
  private mark = 0;
  private hasSeenAll = false;
  private last = '';

  get marker(): string {
    return this.last;
  }

  get chunk(): number {
    return PORTION;
  }

  get isAtBeginning(): boolean {
    return this.last === '';
  }

  /** Returns whether the serial differs from the last seen one. */
  take({ id, serial }: WantedZone): boolean {
    const before = this.marked.get(id);
    this.marked.set(id, serial + this.mark);
    return before === undefined || before % OF_OTHER_PASS !== serial;
  }

  forget(id: string): void {
    this.marked.delete(id);
  }

  /** The first pass reports no changes, because servers ask by themselves. Deleted zones follow at its end. */
  compare(zones: readonly WantedZone[]): { readonly changed: readonly WantedZone[]; readonly gone: readonly string[] } {
    const different = zones.filter((zone) => this.take(zone));
    const changed = this.hasSeenAll ? different : [];
    this.last = zones.at(-1)?.id ?? '';
    return { changed, gone: zones.length === PORTION ? [] : this.endPass() };
  }

  private endPass(): string[] {
    const gone = [...this.marked].filter(([, value]) => value - (value % OF_OTHER_PASS) !== this.mark);
    this.mark = OF_OTHER_PASS - this.mark;
    this.last = '';
    this.hasSeenAll = true;
    return gone.map(([id]) => id);
  }
}
