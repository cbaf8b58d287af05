import type { PendingSync } from './pending-sync.js';

/**
 * What repetitions may cost when nothing changes, in messages of one kind to all servers a second. A NOTIFY is followed by
 * two questions at most, so that with the checks it is less than 50.
 */
const REPETITIONS = 10;
/** What first attempts may cost while much is missing, in messages of one kind to one server a second. */
const ATTEMPTS = 100;
/** Between repetitions to one server, however few there are, in milliseconds. */
const SHORTEST_PAUSE = 4000;
/** For so long a beginning is recent, and a server that takes nothing may just be slow, in milliseconds. */
const RECENT = 30_000;
/** A server that gives no answer for so long is silent, and not only its answers were lost, in milliseconds. */
const SILENCE = 2000;
/** When something comes that was missing for long, so many others are asked for at once. */
const FOLLOWERS = 2;
/** So many zones that it lacks are in memory. */
const WINDOW = 5000;
/** Of these the database fills so many, and does so again when there are fewer; what changes now finds room. */
const FILLED = { from: 3500, to: 4000 };

/**
 * What one server lacks, and how fast it is tried again. No more than a window of it is in memory: the rest is what the
 * database has with another serial.
 */
export class ServerBacklog {
  /** By zone, in the order of the time at which they were first missing. */
  private readonly pending = new Map<string, PendingSync>();
  /** Those that have begun, or begun anew, a short time ago; by that time. */
  private readonly recent = new Set<PendingSync>();
  private progressAt = performance.now();
  private wasStuck = false;
  /** Since when nothing that was sent to it was answered; `null`: the last was. */
  private unansweredSince: number | null = null;
  /** Of those that are asked for when another one has come. */
  private followers: Iterator<PendingSync> = [][Symbol.iterator]();

  /** When something was last left to the database alone; `null` while all that is missing is in memory. */
  private leftOutAt: number | null = null;
  /** Since when something was. */
  private partialSince = Infinity;
  /** How many are missing, as it was counted last. */
  private counted = 0;
  /** Of how many zones its answers differ, as it was counted last. */
  inconsistent = 0;
  /** Whether everything is tried once, as fast as the server takes it. */
  private isFirstFilling = true;

  /** @param servers how many the pool has */
  constructor(private readonly servers: number) {}

  /** Those in memory, by the time at which they were first missing. */
  get all(): Iterable<PendingSync> {
    return this.pending.values();
  }

  /** How many are missing, also those that are not in memory, as far as they have been counted. */
  get size(): number {
    return this.isPartial ? Math.max(this.pending.size, this.counted) : this.pending.size;
  }

  /** Since when something is missing, on the monotonic clock; `null` where nothing is. */
  get since(): number | null {
    const [first] = this.all;
    const since = Math.min(first?.since ?? Infinity, this.partialSince);
    return since === Infinity ? null : since;
  }

  /** Whether something is missing that is not in memory. */
  get isPartial(): boolean {
    return this.leftOutAt !== null;
  }

  /** Whether more is to be read from the database. */
  get isHungry(): boolean {
    return this.isPartial && this.pending.size < FILLED.from;
  }

  /** Whether what is read from the database still finds room. */
  get hasRoom(): boolean {
    return this.pending.size < FILLED.to;
  }

  find(zoneId: string): PendingSync | undefined {
    return this.pending.get(zoneId);
  }

  /** Notes one that begins, or begins anew. */
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

  /** The one that gives way to another, where no more are to be in memory: what has been missing longest. */
  get surplus(): PendingSync | null {
    if (this.pending.size < WINDOW) return null;
    for (const publication of this.all) if (!publication.isCatalog) return publication;
    return null;
  }

  /** Notes that something is missing that only the database knows. */
  leaveOut(): void {
    this.leftOutAt = performance.now();
    this.partialSince = Math.min(this.partialSince, this.since ?? this.leftOutAt);
  }

  /**
   * Notes how many are missing, in memory or not.
   * @param inconsistent of how many zones the server has the serial and other contents
   */
  count(missing: number, inconsistent: number): void {
    this.counted = missing;
    this.inconsistent = inconsistent;
  }

  /**
   * Notes that everything that was missing has been read from the database once.
   * @param begunAt on the monotonic clock
   */
  recordFilled(begunAt: number): void {
    this.isFirstFilling = false;
    if (this.leftOutAt !== null && this.leftOutAt > begunAt) return;
    this.leftOutAt = null;
    this.partialSince = Infinity;
  }

  /** Notes that the server has what it lacked: then it may also have what is rarely asked for by now. */
  complete(publication: PendingSync): void {
    const isRecent = this.recent.has(publication);
    this.remove(publication);
    this.progressAt = performance.now();
    if (!isRecent) for (let count = 0; count < FOLLOWERS; count += 1) this.nextFollower()?.askSoon();
  }

  /** Whether the server has answered nothing for some time. */
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

  /**
   * The least pause before the next attempt, in milliseconds. What began together is spread.
   * @param goesOnAndOn whether it has been tried often
   */
  pause(publication: PendingSync, goesOnAndOn: boolean): number {
    const isStuck = this.isStuck();
    const isRare = goesOnAndOn || (isStuck && !this.recent.has(publication));
    const waiting = isRare || !isStuck ? this.pending.size : this.recent.size;
    const share = waiting * 1000 * (0.5 + Math.random());
    return isRare ? Math.max(SHORTEST_PAUSE, (share * this.servers) / REPETITIONS) : share / ATTEMPTS;
  }

  /** To be called once a second: a server that takes nothing is troubled rarely with what it was told of long ago. */
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

  /** Whether what the server refuses gives way at once to what has not been tried. */
  get skipsRefused(): boolean {
    return this.isPartial && this.isFirstFilling;
  }

  /** One that may give way to others that are not in memory, since the server answers and does not take it. */
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
