import { Agenda } from '../../common/waiting/agenda.js';
import type { Clock, Instant } from '../../common/clock.js';
import { BoundedCall } from '../../plugins/calls/bounded-call.js';
import { during, markOf } from '../../plugins/calls/call-mark.js';
import type { ChangeListener } from './change-listener.js';
import { ListenerReport } from './listener-report.js';
import { type PageMeans, type PositionedPage, PositionedPages } from './positioned-pages.js';
import { shardOf, type Shards, type ShardUser } from './shards.js';
import { ZoneBacklog } from './zone-backlog.js';

/** Zones that a listener has at once, each with one page. */
const SLOTS = 16;
/** Of these, for zones at which it has failed: as many at most, and as many even while others wait. */
const MOST_AGAIN = SLOTS / 2;
const SURELY_AGAIN = SLOTS / 4;
/** Zones that are known to wait. Whatever is more is found again when they are done. */
const MOST_KNOWN = 10_000;
const MOST_FAILING = MOST_KNOWN / 2;
/** Pages that are read at once. */
const READS = 3;
/**
 * From one round of the zones that have changed to the next, in milliseconds, and so many times what one takes: under load
 * changes come in fewer and larger pages.
 */
const SHORTEST_ROUND = 10;
const LONGEST_ROUND = 60;
const SHARE_OF_OTHERS = 10;
/** How long a listener may take for what it has when the process stops, in milliseconds. */
const LAST_DEADLINE = 2000;
/** After the first failure and after many, in milliseconds. */
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 300_000;

export interface ListenerMeans extends PageMeans {
  readonly clock: Clock;
  readonly shards: Shards;
  /** How long a listener may take for a page, in milliseconds. */
  readonly deadline: number;
}

/** Gives one listener what changes in the zones that this process has, zone by zone in order, and notes how far it has come. */
export class ListenerBacklog implements ShardUser {
  private readonly report: ListenerReport;
  private readonly pages: PositionedPages;
  private readonly known = new Map<string, ZoneBacklog>();
  /** Those that wait for their turn: at which the listener has not failed, and the others. */
  private readonly fresh = new Set<ZoneBacklog>();
  private readonly again = new Set<ZoneBacklog>();
  /** Those that have changed a moment ago, and wait for others. */
  private readonly gathering = new Set<ZoneBacklog>();
  private readonly active = new Set<ZoneBacklog>();
  private readonly failing = new Set<ZoneBacklog>();
  private readonly agenda = new Agenda();
  private readonly calls = new Set<BoundedCall>();
  private readonly mark: number;
  private gatheringTimer: NodeJS.Timeout | undefined;
  private gatheredAt = -Infinity;
  private tookMs = 0;
  private reading = 0;
  private isEnding = false;

  constructor(
    readonly name: string,
    private readonly listener: ChangeListener,
    private readonly means: ListenerMeans,
  ) {
    this.report = new ListenerReport(name, means.clock);
    this.pages = new PositionedPages(name, means);
    this.mark = markOf(`the change listener ${name}`);
  }

  /** Whether there are zones at which it has failed. */
  get isFailing(): boolean {
    return this.failing.size > 0;
  }

  get zonesWaiting(): number {
    return this.known.size;
  }

  /** Since when the oldest change waits; `null` where none does. */
  get oldest(): Instant | null {
    let oldest = Infinity;
    for (const backlog of this.known.values()) oldest = Math.min(oldest, backlog.oldest);
    return oldest === Infinity ? null : oldest;
  }

  /** Whether more zones can be known to wait. */
  get hasRoom(): boolean {
    return this.known.size < MOST_KNOWN;
  }

  /** How far the listener has come, as far as the database does not know yet. */
  positionOf(zoneId: string): number {
    return this.means.writer.find(this.name, zoneId) ?? 0;
  }

  /**
   * Something in the zone has changed.
   * @param version the number of its latest entry, where it was found by that
   */
  note(zoneId: string, version: number | null = null): void {
    if (this.isEnding || !this.means.shards.holds(this.name, zoneId)) return;
    const backlog = this.known.get(zoneId);
    if (backlog !== undefined) {
      backlog.hasMore = true;
      return;
    }
    // The next comparison of all zones finds it.
    if (!this.hasRoom) return;
    const found = new ZoneBacklog(zoneId, this.means.clock.now(), version, (due) => this.tryAgain(due));
    this.known.set(zoneId, found);
    this.gather(found);
  }

  /** What is under way in the shard ends, and what waits there is left to another process. */
  async leave(shard: number): Promise<void> {
    const ofShard = [...this.known.values()].filter(({ zoneId }) => shardOf(zoneId) === shard);
    for (const { working } of ofShard) await working;
    for (const backlog of ofShard) this.forget(backlog);
    await this.means.writer.flush();
  }

  /** Aborts what is under way. */
  async end(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.gatheringTimer);
    this.agenda.end();
    const reason = new Error('the process stops');
    for (const call of this.calls) call.end(reason, LAST_DEADLINE);
    for (const { working } of [...this.active]) await working;
  }

  /** The first is taken at once, as soon as the requests of this turn have been answered. */
  private gather(backlog: ZoneBacklog): void {
    this.gathering.add(backlog);
    this.gatheringTimer ??= setTimeout(
      () => {
        this.gatheringTimer = undefined;
        this.gatheredAt = performance.now();
        for (const gathered of this.gathering) this.fresh.add(gathered);
        this.gathering.clear();
        this.take();
      },
      Math.max(0, this.gatheredAt + this.round() - performance.now()),
    );
  }

  private round(): number {
    return Math.min(LONGEST_ROUND, Math.max(SHORTEST_ROUND, SHARE_OF_OTHERS * this.tookMs));
  }

  /** Zone after zone as long as there are slots. */
  private take(): void {
    while (this.reading < READS) {
      const backlog = this.next();
      if (backlog === null) return;
      this.active.add(backlog);
      backlog.working = this.deliver(backlog);
    }
  }

  private next(): ZoneBacklog | null {
    for (;;) {
      const backlog = this.firstWaiting();
      if (backlog === null) return null;
      this.fresh.delete(backlog);
      this.again.delete(backlog);
      if (this.means.shards.holds(this.name, backlog.zoneId)) return backlog;
      this.forget(backlog);
    }
  }

  /** A listener that hangs at some zones has slots left for the others, and one that fails at many gets to these, too. */
  private firstWaiting(): ZoneBacklog | null {
    if (this.isEnding || this.active.size >= SLOTS) return null;
    const [fresh] = this.fresh;
    const [again] = this.again;
    const underWay = [...this.active].filter(({ failures }) => failures > 0).length;
    const mayTryAgain = underWay < (fresh === undefined ? MOST_AGAIN : SURELY_AGAIN);
    return (mayTryAgain ? again : undefined) ?? fresh ?? null;
  }

  /** Reads a page and gives it to the listener. It never fails, so that nobody has to wait for it. */
  private async deliver(backlog: ZoneBacklog): Promise<void> {
    this.reading += 1;
    await this.pages.rest();
    backlog.hasMore = false;
    const page = await this.pages.next(backlog.zoneId);
    this.reading -= 1;
    this.take();
    if (!this.isEnding && page !== null) await this.deliverPage(backlog, page);
    else if (!this.isEnding) this.agenda.set(backlog, performance.now() + SHORTEST_PAUSE);
    backlog.working = null;
    this.active.delete(backlog);
    if (this.active.size === 0) this.tookMs = performance.now() - this.gatheredAt;
    this.take();
  }

  private async deliverPage(backlog: ZoneBacklog, { position, entries, mayGoOn }: PositionedPage): Promise<void> {
    const [first, last] = [entries[0], entries.at(-1)];
    if (first === undefined || last === undefined) {
      // Whoever found it by its version knows that there were entries.
      if (backlog.version !== null && backlog.version > position) this.skip(backlog, position, backlog.version);
      this.goOn(backlog);
      return;
    }
    backlog.oldest = first.at;
    const call = new BoundedCall((signal) => during(this.mark, () => this.listener.receive(entries, signal)));
    this.calls.add(call);
    try {
      await call.run(this.means.deadline);
    } catch (error) {
      this.fail(backlog, first.zone.name, error);
      return;
    } finally {
      this.calls.delete(call);
    }
    if (first.number > position + 1) this.skip(backlog, position, first.number - 1);
    this.recordPosition(backlog, last.number);
    this.report.delivered(entries);
    backlog.oldest = last.at;
    this.recover(backlog);
    if (mayGoOn) this.fresh.add(backlog);
    else this.goOn(backlog);
  }

  /** What the listener has not dealt with for so long that it was removed. */
  private skip(backlog: ZoneBacklog, position: number, last: number): void {
    this.report.skipped(backlog.zoneId, position, last);
    this.recordPosition(backlog, last);
  }

  private recordPosition({ zoneId }: ZoneBacklog, number: number): void {
    this.means.writer.note({ listener: this.name, zoneId, number });
  }

  private goOn(backlog: ZoneBacklog): void {
    if (backlog.hasMore) this.gather(backlog);
    else this.forget(backlog);
  }

  private fail(backlog: ZoneBacklog, zone: string, error: unknown): void {
    // The failure is the service's, not the listener's.
    if (this.isEnding) return;
    backlog.failures += 1;
    this.report.failed(zone, error, this.isFailing);
    if (this.failing.size >= MOST_FAILING && !this.failing.has(backlog)) {
      // The next comparison of all zones finds it again.
      this.forget(backlog);
      return;
    }
    this.failing.add(backlog);
    this.agenda.set(backlog, performance.now() + pauseAfter(backlog.failures));
  }

  private recover(backlog: ZoneBacklog): void {
    backlog.failures = 0;
    if (this.failing.delete(backlog) && !this.isFailing) this.report.caughtUp();
  }

  private tryAgain(backlog: ZoneBacklog): void {
    (backlog.failures > 0 ? this.again : this.fresh).add(backlog);
    this.take();
  }

  private forget(backlog: ZoneBacklog): void {
    this.agenda.set(backlog, Infinity);
    for (const set of [this.fresh, this.again, this.gathering, this.failing]) set.delete(backlog);
    this.known.delete(backlog.zoneId);
  }
}

/** It doubles with each failure; what failed together does not come again together. */
function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** (failures - 1)) * (0.75 + Math.random() / 2);
}
