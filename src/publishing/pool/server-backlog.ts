import type { PendingPublication } from './pending-publication.js';

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

/** What one server lacks, and how fast it is tried again. */
export class ServerBacklog {
  /** By the time at which they were first missing. */
  private readonly pending = new Set<PendingPublication>();
  /** Those that have begun, or begun anew, a short time ago; by that time. */
  private readonly recent = new Set<PendingPublication>();
  private progressAt = performance.now();
  private wasStuck = false;
  /** Since when nothing that was sent to it was answered; `null`: the last was. */
  private unansweredSince: number | null = null;
  /** Of those that are asked for when another one has come. */
  private followers: Iterator<PendingPublication> = [][Symbol.iterator]();

  /** @param servers how many the pool has */
  constructor(private readonly servers: number) {}

  /** By the time at which they were first missing. */
  get all(): ReadonlySet<PendingPublication> {
    return this.pending;
  }

  /** Notes one that begins, or begins anew. */
  add(publication: PendingPublication): void {
    if (this.pending.size === 0) this.progressAt = performance.now();
    this.pending.add(publication);
    this.recent.delete(publication);
    this.recent.add(publication);
  }

  remove(publication: PendingPublication): void {
    this.pending.delete(publication);
    this.recent.delete(publication);
  }

  /** Notes that the server has what it lacked: then it may also have what is rarely asked for by now. */
  complete(publication: PendingPublication): void {
    const isRecent = this.recent.has(publication);
    this.remove(publication);
    this.progressAt = performance.now();
    if (!isRecent) for (let count = 0; count < FOLLOWERS; count += 1) this.nextFollower()?.askSoon();
  }

  /** Whether the server has answered nothing for some time. */
  get isSilent(): boolean {
    return this.unansweredSince !== null && performance.now() - this.unansweredSince > SILENCE;
  }

  noteSilence(): void {
    this.unansweredSince ??= performance.now();
  }

  noteAnswer(): void {
    this.unansweredSince = null;
  }

  /**
   * The least pause before the next attempt, in milliseconds. What began together is spread.
   * @param goesOnAndOn whether it has been tried often
   */
  pause(publication: PendingPublication, goesOnAndOn: boolean): number {
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
      for (const publication of this.pending) if (!this.recent.has(publication)) publication.slowDown();
    this.wasStuck = isStuck;
  }

  private nextFollower(): PendingPublication | undefined {
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
