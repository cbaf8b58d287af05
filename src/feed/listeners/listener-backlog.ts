import { Agenda, type Due } from '../../common/waiting/agenda.js';
import type { Clock, Instant } from '../../common/clock.js';
import { BoundedCall } from '../../plugins/calls/bounded-call.js';
import { during, markOf } from '../../plugins/calls/watchdog-data.js';
import type { ChangeListener } from '../../plugins/change-listener.js';
import { ListenerReport } from './listener-report.js';
import { type PageMeans, type PositionedPage, PositionedPages } from './position-writer.js';
import { shardOf, type Shards, type ShardUser } from './shards.js';

/** Concurrent zones per listener, each with one page. */
const SLOTS = 16;
/** Maximum and reserved slots for zones with failures. */
const MOST_AGAIN = SLOTS / 2;
const SURELY_AGAIN = SLOTS / 4;
/** Limit of known waiting zones. Further ones are found again later. */
const MOST_KNOWN = 10_000;
const MOST_FAILING = MOST_KNOWN / 2;
const READS = 3;
/** Bounds in milliseconds, and minimum multiple of the duration: under load, changes come in larger pages. */
const SHORTEST_ROUND = 10;
const LONGEST_ROUND = 60;
const SHARE_OF_OTHERS = 10;
/** Deadline of deliveries when the process stops, in milliseconds. */
const LAST_DEADLINE = 2000;
/** Pause after the first and after many failures, in milliseconds. */
const SHORTEST_PAUSE = 1000;
const LONGEST_PAUSE = 300_000;

export interface ListenerMeans extends PageMeans {
  readonly clock: Clock;
  readonly shards: Shards;
  /** Deadline per page, in milliseconds. */
  readonly deadline: number;
}

/** The installed listeners, for the module that creates them. */
export class CreatedListeners {
  constructor(readonly all: readonly { readonly name: string; readonly listener: ChangeListener }[]) {}
}

/** Delivers changes to one listener, in order for each zone of this process, and stores its positions. */
export class ListenerBacklog implements ShardUser {
  private readonly report: ListenerReport;
  private readonly pages: PositionedPages;
  private readonly known = new Map<string, ZoneBacklog>();
  /** Zones that wait for a slot: without failure, and with failures. */
  private readonly fresh = new Set<ZoneBacklog>();
  private readonly again = new Set<ZoneBacklog>();
  /** Recently changed zones that wait for the next round. */
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

  get isFailing(): boolean {
    return this.failing.size > 0;
  }

  get zonesWaiting(): number {
    return this.known.size;
  }

  get oldest(): Instant | null {
    let oldest = Infinity;
    for (const backlog of this.known.values()) oldest = Math.min(oldest, backlog.oldest);
    return oldest === Infinity ? null : oldest;
  }

  get hasRoom(): boolean {
    return this.known.size < MOST_KNOWN;
  }

  /** Position that is not yet in the database, or 0. */
  positionOf(zoneId: string): number {
    return this.means.writer.find(this.name, zoneId) ?? 0;
  }

  /** @param version number of its latest entry, if known */
  note(zoneId: string, version: number | null = null): void {
    if (this.isEnding || !this.means.shards.holds(this.name, zoneId)) return;
    const backlog = this.known.get(zoneId);
    if (backlog !== undefined) {
      backlog.hasMore = true;
      return;
    }
    // The next scan finds the zone.
    if (!this.hasRoom) return;
    const found = new ZoneBacklog(zoneId, this.means.clock.now(), version, (due) => this.tryAgain(due));
    this.known.set(zoneId, found);
    this.gather(found);
  }

  /** Finishes deliveries in the shard and leaves waiting zones to another process. */
  async leave(shard: number): Promise<void> {
    const ofShard = [...this.known.values()].filter(({ zoneId }) => shardOf(zoneId) === shard);
    for (const { working } of ofShard) await working;
    for (const backlog of ofShard) this.forget(backlog);
    await this.means.writer.flush();
  }

  async end(): Promise<void> {
    this.isEnding = true;
    clearTimeout(this.gatheringTimer);
    this.agenda.end();
    const reason = new Error('the process stops');
    for (const call of this.calls) call.end(reason, LAST_DEADLINE);
    for (const { working } of [...this.active]) await working;
  }

  /** The first change is delivered after the current turn, so that its request is answered first. */
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

  /** Hanging zones leave slots for others, and many failing zones still get some slots. */
  private firstWaiting(): ZoneBacklog | null {
    if (this.isEnding || this.active.size >= SLOTS) return null;
    const [fresh] = this.fresh;
    const [again] = this.again;
    const underWay = [...this.active].filter(({ failures }) => failures > 0).length;
    const mayTryAgain = underWay < (fresh === undefined ? MOST_AGAIN : SURELY_AGAIN);
    return (mayTryAgain ? again : undefined) ?? fresh ?? null;
  }

  /** Never rejects. */
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
      // A known version proves that the entries existed.
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

  /** Skips entries that were removed after the retention time. */
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
    // The service causes this failure by stopping.
    if (this.isEnding) return;
    backlog.failures += 1;
    this.report.failed(zone, error, this.isFailing);
    if (this.failing.size >= MOST_FAILING && !this.failing.has(backlog)) {
      // The next scan finds the zone again.
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

function pauseAfter(failures: number): number {
  return Math.min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** (failures - 1)) * (0.75 + Math.random() / 2);
}

class ZoneBacklog implements Due {
  dueAt = Infinity;
  heapIndex = -1;
  failures = 0;
  working: Promise<void> | null = null;
  hasMore = false;

  /** `oldest`: approximate time of the oldest waiting change. `version`: number of its latest entry, if known. */
  constructor(
    readonly zoneId: string,
    public oldest: Instant,
    readonly version: number | null,
    private readonly resume: (backlog: ZoneBacklog) => void,
  ) {}

  act(): void {
    this.resume(this);
  }
}
