import { DomainName } from '../../dns/name.js';
import type { Agenda, Due } from '../../common/waiting/agenda.js';
import { CATALOG_ID } from '../catalog/catalog.entity.js';
import type { Notifier, PoolMember, SentAnswer } from './pool-member.js';
import type { PublicationEntity } from './publication.entity.js';
import type { WantedZone } from './publication.repository.js';

export interface PublicationReport {
  /** @param notified serial of the answered NOTIFY; `null` for an answer to a question */
  answered(publication: PendingSync, answer: SentAnswer, notified: number | null): void;
  /** A NOTIFY had no effect or no valid answer: the server may not know the zone yet. */
  lacks(publication: PendingSync): void;
  /** Returns the minimum pause before the next attempt in milliseconds, longer for endless retries. */
  pause(publication: PendingSync, goesOnAndOn: boolean): number;
}

export interface PublicationMeans {
  readonly notifier: Notifier;
  readonly agenda: Agenda;
  readonly report: PublicationReport;
}

/** Timeouts of consecutive NOTIFYs, in milliseconds. */
const NOTIFY_TIME_LIMITS = [300, 700, 1000, 2000, 4000];
/** Pauses after an answered NOTIFY until the next NOTIFY to a server with an old serial, in milliseconds. */
const FRUITLESS_PAUSE = [2000, 4000, 8000, 16_000, 32_000, 60_000];
/** Pauses after an answered NOTIFY until the first question, and between questions, in milliseconds. */
const QUESTION_PAUSE = [20, 30, 50, 100, 300, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000];
const QUESTION_TIME_LIMIT = 2000;
/** Time for the NOTIFY of another process to take effect, in milliseconds. */
const GRACE = 250;

/** Sends NOTIFY until the server answers, then asks for the serial until the server has the wanted one. */
export class PendingSync implements Due {
  dueAt = Infinity;
  heapIndex = -1;
  /** On the monotonic clock. */
  readonly since = performance.now();
  begunAt = this.since;
  private unanswered = 0;
  private fruitless = 0;
  private asked = 0;
  private isAsking = false;
  private isInGrace = false;
  /** On the monotonic clock. */
  private notifyAt = Infinity;
  private questionAt = Infinity;
  /** Identifies answers of earlier rounds. */
  private round = 0;
  private hasEnded = false;

  constructor(
    public zone: WantedZone,
    readonly member: PoolMember,
    public status: PublicationEntity,
    private readonly means: PublicationMeans,
  ) {}

  get isCatalog(): boolean {
    return this.zone.id === CATALOG_ID;
  }

  get isUnanswered(): boolean {
    return this.unanswered > 0;
  }

  /** Whether the server has answered several NOTIFYs without transferring the zone. */
  get isFruitless(): boolean {
    return this.fruitless > 1;
  }

  /** Parsed on demand: thousands of syncs may wait. */
  private get name(): DomainName {
    return DomainName.parse(this.zone.name);
  }

  /** Starts a round for a new serial. Pending questions continue. `isTold`: another process has sent the NOTIFY. */
  begin(isTold: boolean): void {
    this.unanswered = 0;
    this.fruitless = 0;
    this.round += 1;
    this.begunAt = performance.now();
    this.isInGrace = isTold;
    if (!isTold) {
      void this.notify();
      return;
    }
    this.ask(0);
    this.notifyIn(GRACE);
  }

  /** Skips the grace period: this process has made the change. */
  hurry(): void {
    if (this.isInGrace) this.begin(false);
  }

  /** Postpones the next attempts by a random time, in favor of other zones that the server lacks. */
  slowDown(): void {
    const now = performance.now();
    const later = (at: number): number =>
      at === Infinity ? at : now + Math.random() * this.means.report.pause(this, true);
    this.notifyAt = later(this.notifyAt);
    this.questionAt = later(this.questionAt);
    this.schedule();
  }

  /** Asks now, because another long-missing zone has arrived. */
  askSoon(): void {
    this.ask(0);
  }

  end(): void {
    this.hasEnded = true;
    this.means.agenda.set(this, Infinity);
  }

  act(): void {
    const { dueAt } = this;
    if (this.questionAt <= dueAt) void this.askNow();
    if (this.notifyAt <= dueAt) void this.notify();
    this.schedule();
  }

  private schedule(): void {
    if (!this.hasEnded) this.means.agenda.set(this, Math.min(this.notifyAt, this.questionAt));
  }

  private notifyIn(pause: number): void {
    this.notifyAt = performance.now() + pause;
    this.schedule();
  }

  private async notify(): Promise<void> {
    const { round } = this;
    this.isInGrace = false;
    this.notifyAt = Infinity;
    const { id, serial } = this.zone;
    const timeLimit = at(NOTIFY_TIME_LIMITS, this.unanswered);
    const answer = await this.means.notifier.notify(this.member, { id, name: this.name }, timeLimit);
    if (this.isOver() || round !== this.round) return;
    if (answer.kind === 'unsent') {
      this.notifyIn(this.means.report.pause(this, true));
      return;
    }
    this.means.report.answered(this, answer, answer.kind === 'silence' ? null : serial);
    if (this.isOver() || round !== this.round) return;
    if (answer.kind === 'silence') this.notifyAgain();
    else this.awaitFruit();
  }

  private notifyAgain(): void {
    this.unanswered += 1;
    if (this.unanswered > 1) {
      // Perhaps only the answers were lost.
      this.ask(0);
      // A server that does not know the zone cannot sign its answer, so the answer is ignored.
      this.means.report.lacks(this);
    }
    this.notifyIn(this.means.report.pause(this, this.unanswered >= NOTIFY_TIME_LIMITS.length));
  }

  private awaitFruit(): void {
    this.unanswered = 0;
    this.ask(0);
    const pause = this.pauseAfter(this.fruitless, FRUITLESS_PAUSE);
    if (this.fruitless > 0) this.means.report.lacks(this);
    this.fruitless += 1;
    this.notifyIn(pause);
  }

  /** Schedules the next question for the serial. Skips the catalog zone: Knot does not answer queries for it. */
  private ask(attempts: number): void {
    if (!this.member.isAsked || this.isCatalog || this.isAsking) return;
    this.asked = attempts;
    const pause = attempts === 0 ? at(QUESTION_PAUSE, 0) : this.pauseAfter(attempts, QUESTION_PAUSE);
    this.questionAt = Math.min(this.questionAt, performance.now() + pause);
    this.schedule();
  }

  private async askNow(): Promise<void> {
    this.isAsking = true;
    this.questionAt = Infinity;
    const answer = await this.member.serialOf(this.name, QUESTION_TIME_LIMIT);
    this.isAsking = false;
    if (this.isOver()) return;
    if (answer.kind !== 'unsent') this.means.report.answered(this, answer, null);
    if (!this.isOver()) this.ask(this.asked + 1);
  }

  /** A report may have ended this sync. */
  private isOver(): boolean {
    return this.hasEnded;
  }

  /** Many attempts give way to all other pending work. */
  private pauseAfter(attempts: number, pauses: readonly number[]): number {
    return Math.max(at(pauses, attempts), this.means.report.pause(this, attempts >= pauses.length / 2));
  }
}

function at(values: readonly number[], index: number): number {
  return values[Math.min(index, values.length - 1)] ?? 0;
}
