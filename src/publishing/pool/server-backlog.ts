import type { PendingSync } from './pending-sync.js';
import { Logger } from '@nestjs/common';
import type { PoolMember } from './pool-member.js';
import { showGauge } from '../../observability/metrics.js';

/** Endless retries, in messages of one kind per second to all servers. All messages together stay below 50. */
const REPETITIONS = 10;
/** Limit for first attempts with a large backlog, in messages of one kind per second and server. */
const ATTEMPTS = 100;
/** Minimum time between retries to one server, in milliseconds. */
const SHORTEST_PAUSE = 4000;
/** Age up to which a round counts as recent, in milliseconds: a server without progress may just be slow. */
const RECENT = 30_000;
/** Time without answers after which a server counts as silent, in milliseconds. */
const SILENCE = 2000;
/** Other zones to ask for when a long-missing zone arrives. */
const FOLLOWERS = 2;
/** Limit of lacking zones in memory. */
const WINDOW = 5000;
/** Fill levels at which loading from the database starts and ends, which leaves room for new changes. */
const FILLED = { from: 3500, to: 4000 };

/** Tracks the zones that one server lacks, and spaces retries. Memory has a window, the database the rest. */
export class ServerBacklog {
  /** By zone ID, oldest first. */
  private readonly pending = new Map<string, PendingSync>();
  /** Recently started rounds, oldest first. */
  private readonly recent = new Set<PendingSync>();
  private progressAt = performance.now();
  private wasStuck = false;
  /** Time of the first unanswered message; `null` if the last one was answered. */
  private unansweredSince: number | null = null;
  private followers: Iterator<PendingSync> = [][Symbol.iterator]();

  /** When a zone was last left to the database; `null` while memory has all lacking zones. */
  private leftOutAt: number | null = null;
  private partialSince = Infinity;
  private counted = 0;
  inconsistent = 0;
  /** Whether each zone is tried once, as fast as the server accepts. */
  private isFirstFilling = true;

  constructor(private readonly servers: number) {}

  get all(): Iterable<PendingSync> {
    return this.pending.values();
  }

  /** Number of lacking zones, including counted ones outside memory. */
  get size(): number {
    return this.isPartial ? Math.max(this.pending.size, this.counted) : this.pending.size;
  }

  /** Start of the oldest lack on the monotonic clock, or `null`. */
  get since(): number | null {
    const [first] = this.all;
    const since = Math.min(first?.since ?? Infinity, this.partialSince);
    return since === Infinity ? null : since;
  }

  /** Whether the database has lacking zones that are not in memory. */
  get isPartial(): boolean {
    return this.leftOutAt !== null;
  }

  get isHungry(): boolean {
    return this.isPartial && this.pending.size < FILLED.from;
  }

  get hasRoom(): boolean {
    return this.pending.size < FILLED.to;
  }

  find(zoneId: string): PendingSync | undefined {
    return this.pending.get(zoneId);
  }

  add(publication: PendingSync): void {
    if (this.pending.size === 0) this.progressAt = performance.now();
    this.pending.set(publication.zone.id, publication);
    this.recent.delete(publication);
    this.recent.add(publication);
  }

  remove(publication: PendingSync): void {
    this.pending.delete(publication.zone.id);
    this.recent.delete(publication);
  }

  /** The oldest zone, if the window is full. */
  get surplus(): PendingSync | null {
    if (this.pending.size < WINDOW) return null;
    for (const publication of this.all) if (!publication.isCatalog) return publication;
    return null;
  }

  /** Records that only the database has a lacking zone. */
  leaveOut(): void {
    this.leftOutAt = performance.now();
    this.partialSince = Math.min(this.partialSince, this.since ?? this.leftOutAt);
  }

  /** Stores the counts of a comparison, including zones outside memory. */
  count(missing: number, inconsistent: number): void {
    this.counted = missing;
    this.inconsistent = inconsistent;
  }

  /** All lacking zones have been loaded once, since `begunAt` on the monotonic clock. */
  recordFilled(begunAt: number): void {
    this.isFirstFilling = false;
    if (this.leftOutAt !== null && this.leftOutAt > begunAt) return;
    this.leftOutAt = null;
    this.partialSince = Infinity;
  }

  /** Records an arrived zone. Rarely checked zones may have arrived too, so it asks for some of them. */
  complete(publication: PendingSync): void {
    const isRecent = this.recent.has(publication);
    this.remove(publication);
    this.progressAt = performance.now();
    if (!isRecent) for (let count = 0; count < FOLLOWERS; count += 1) this.nextFollower()?.askSoon();
  }

  get isSilent(): boolean {
    return this.unansweredSince !== null && performance.now() - this.unansweredSince > SILENCE;
  }

  recordSilence(): void {
    this.unansweredSince ??= performance.now();
  }

  recordAnswer(): void {
    if (this.isSilent) this.isFirstFilling = true;
    this.unansweredSince = null;
  }

  /** In milliseconds, randomized to spread attempts. `goesOnAndOn`: an endless retry. */
  pause(publication: PendingSync, goesOnAndOn: boolean): number {
    const isStuck = this.isStuck();
    const isRare = goesOnAndOn || (isStuck && !this.recent.has(publication));
    const waiting = isRare || !isStuck ? this.pending.size : this.recent.size;
    const share = waiting * 1000 * (0.5 + Math.random());
    return isRare ? Math.max(SHORTEST_PAUSE, (share * this.servers) / REPETITIONS) : share / ATTEMPTS;
  }

  /** Slows down old retries to a server without progress. Call it every second. */
  look(): void {
    const isStuck = this.isStuck();
    const before = performance.now() - RECENT;
    for (const publication of this.recent) {
      if (publication.begunAt > before) break;
      this.recent.delete(publication);
      if (isStuck && this.wasStuck) publication.slowDown();
    }
    if (isStuck && !this.wasStuck)
      for (const publication of this.all) if (!this.recent.has(publication)) publication.slowDown();
    this.wasStuck = isStuck;
  }

  /** Whether refused zones give way to untried ones immediately. */
  get skipsRefused(): boolean {
    return this.isPartial && this.isFirstFilling;
  }

  /** A refused zone that can give way to one outside memory. */
  get inVain(): PendingSync | null {
    if (!this.isPartial || this.isHungry || this.isSilent) return null;
    for (const publication of this.all)
      if (publication.isFruitless && !publication.isCatalog && !this.recent.has(publication)) return publication;
    return null;
  }

  private nextFollower(): PendingSync | undefined {
    let next = this.followers.next();
    if (next.done === true) {
      this.followers = this.pending.values();
      next = this.followers.next();
    }
    return next.done === true ? undefined : next.value;
  }

  private isStuck(): boolean {
    return performance.now() - this.progressAt > RECENT;
  }
}

/** In milliseconds. */
const REPORTED_AFTER = 10_000;

/** Logs once that a server lags, and once that it is up to date again. */
export class LagLog {
  private readonly logger = new Logger('Zonewright');
  private readonly lagging = new Set<PoolMember>();

  look(member: PoolMember, backlog: ServerBacklog): void {
    const before = performance.now() - REPORTED_AFTER;
    const isLagging = backlog.since !== null && backlog.since < before;
    if (isLagging === this.lagging.has(member)) return;
    if (!isLagging) {
      this.lagging.delete(member);
      this.logger.warn(`Name server ${member.label} is up to date.`);
      return;
    }
    this.lagging.add(member);
    this.logger.warn(
      `Name server ${member.label} lacks changes of ${zonesOf(backlog, before)}; see zonewright zone status.`,
    );
  }
}

/** @param before on the monotonic clock */
function zonesOf({ all, size, isPartial }: ServerBacklog, before: number): string {
  const late = [...all].filter(({ since }) => since < before);
  const [first] = late;
  const count = isPartial ? size : late.length;
  const zones = count === 1 ? 'a zone' : `${count} zones`;
  return first === undefined ? zones : `${zones}, such as ${first.zone.name}`;
}

const LACKING = {
  name: 'zonewright_zones_to_deliver',
  help: 'Zones of which a name server of the pool does not have the latest serial yet.',
};
const OLDEST_LACK = {
  name: 'zonewright_oldest_delivery_seconds',
  help: 'How long a name server of the pool has been behind.',
};

const INCONSISTENT = {
  name: 'zonewright_inconsistent_zones',
  help: 'Zones of which a name server of the pool has the serial and answers otherwise.',
};

/** Returns a function that hides the gauges. */
export function showPoolMetrics(backlogs: ReadonlyMap<PoolMember, ServerBacklog>): () => void {
  const perServer = (valueOf: (backlog: ServerBacklog) => number) => () =>
    [...backlogs].map(([{ label }, backlog]) => ({ labels: { server: label }, value: valueOf(backlog) }));
  const sizes = perServer(({ size }) => size);
  const inconsistent = perServer((backlog) => backlog.inconsistent);
  const hide = [
    showGauge(LACKING, sizes),
    showGauge(OLDEST_LACK, perServer(ageOf), 'max'),
    showGauge(INCONSISTENT, inconsistent, 'max'),
  ];
  return () => hide.forEach((end) => end());
}

/** In seconds; 0 without lacking zones. */
function ageOf({ since }: ServerBacklog): number {
  return since === null ? 0 : (performance.now() - since) / 1000;
}
