import { DomainName } from '../../dns/name.js';
import type { Agenda, Due } from '../../common/waiting/agenda.js';
import { CATALOG_ID } from '../catalog/catalog-id.js';
import type { Notifier } from './notifier.js';
import type { PoolMember, SentAnswer } from './pool-member.js';
import type { PublicationEntity } from './publication.entity.js';
import type { WantedZone } from './publication.repository.js';

/** Who is told what a server has answered, and knows how much else there is to do. */
export interface PublicationReport {
  /** @param isNotify whether it was the answer to a NOTIFY of that serial */
  answered(publication: PendingSync, answer: SentAnswer, notified: number | null): void;
  /** A NOTIFY has had no effect, or no answer that counts: the server may not know yet that there is the zone. */
  lacks(publication: PendingSync): void;
  /** The least pause in milliseconds before the next attempt, and between repetitions that go on and on. */
  pause(publication: PendingSync, goesOnAndOn: boolean): number;
}

/** What all publications have in common. */
export interface PublicationMeans {
  readonly notifier: Notifier;
  readonly agenda: Agenda;
  readonly report: PublicationReport;
}

/** How long the answers to one NOTIFY after the other are waited for, in milliseconds. */
const NOTIFY_TIME_LIMITS = [300, 700, 1000, 2000, 4000];
/** After a NOTIFY that was answered, until it is repeated to a server that still has an earlier serial. */
const FRUITLESS_PAUSE = [2000, 4000, 8000, 16_000, 32_000, 60_000];
/** After the NOTIFY was answered until the first question, and then from one to the next. */
const QUESTION_PAUSE = [20, 30, 50, 100, 300, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000];
const QUESTION_TIME_LIMIT = 2000;
/** How long a NOTIFY that another process has sent may take to have its effect, in milliseconds. */
const GRACE = 250;

/**
 * Brings one zone to one server: NOTIFY until it is answered, then questions for the serial until the server has the wanted
 * one. What is fruitless is repeated less and less often.
 */
export class PendingSync implements Due {
  dueAt = Infinity;
  heapIndex = -1;
  /** Since when the server lacks something, on the monotonic clock. */
  readonly since = performance.now();
  /** When it has begun, or begun anew. */
  begunAt = this.since;
  private unanswered = 0;
  private fruitless = 0;
  private asked = 0;
  private isAsking = false;
  /** Whether the NOTIFY of another process is left its time. */
  private isInGrace = false;
  /** When the next NOTIFY and the next question are due. */
  private notifyAt = Infinity;
  private questionAt = Infinity;
  /** Counts the beginnings, so that what belongs to an earlier one is known. */
  private round = 0;
  private hasEnded = false;

  constructor(
    /** As it is wanted; its serial moves. */
    public zone: WantedZone,
    readonly member: PoolMember,
    /** What is known of the zone on the server. */
    public status: PublicationEntity,
    private readonly means: PublicationMeans,
  ) {}

  get isCatalog(): boolean {
    return this.zone.id === CATALOG_ID;
  }

  /** Whether the last NOTIFY has had no answer. */
  get isUnanswered(): boolean {
    return this.unanswered > 0;
  }

  /** Whether NOTIFY has been answered again and again, and has had no effect. */
  get isFruitless(): boolean {
    return this.fruitless > 1;
  }

  /** Read when it is needed: thousands of them may wait. */
  private get name(): DomainName {
    return DomainName.parse(this.zone.name);
  }

  /**
   * Begins, or begins anew for another serial. Questions that are under way go on: they are for whatever is wanted.
   * @param isTold whether another process has sent the NOTIFY, if it lives
   */
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

  /** It was this process that has made the change, as was not known at the beginning. */
  hurry(): void {
    if (this.isInGrace) this.begin(false);
  }

  /** Puts off what is due: it waits for all else that the server lacks, from now on in no order. */
  slowDown(): void {
    const now = performance.now();
    const later = (at: number): number =>
      at === Infinity ? at : now + Math.random() * this.means.report.pause(this, true);
    this.notifyAt = later(this.notifyAt);
    this.questionAt = later(this.questionAt);
    this.schedule();
  }

  /** Something else that the server lacked for long has come to it. */
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
      // It may have been the answers that were lost.
      this.ask(0);
      // A server that does not know the zone cannot sign its answer, which then does not count.
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

  /**
   * Asks for the serial after so many attempts, or sooner where that has been decided. The catalog zone is not asked for: Knot
   * answers nobody who asks for it.
   */
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

  /** Whoever is told of an answer may end it. */
  private isOver(): boolean {
    return this.hasEnded;
  }

  /** What has been tried often waits for all else that is to be done. */
  private pauseAfter(attempts: number, pauses: readonly number[]): number {
    return Math.max(at(pauses, attempts), this.means.report.pause(this, attempts >= pauses.length / 2));
  }
}

function at(values: readonly number[], index: number): number {
  return values[Math.min(index, values.length - 1)] ?? 0;
}
