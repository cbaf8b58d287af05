import type { DomainName } from '../../dns/name.js';
import type { Notifier } from './notifier.js';
import type { Answer, PoolMember } from './pool-member.js';

/** A zone that name servers are to have under its serial. */
export interface DeliveredZone {
  readonly id: string;
  readonly name: DomainName;
  /** The one that is wanted; it moves. */
  readonly serial: number;
  /** The catalog zone is not asked for: Knot answers nobody who asks for it. */
  readonly isCatalog: boolean;
}

/** Who is told what a server has answered, and knows how much else there is to do. */
export interface DeliveryReport {
  /** @param isNotify whether it was the answer to a NOTIFY of that serial */
  answered(delivery: Delivery, answer: Answer, notified: number | null): void;
  /** A NOTIFY was answered and has had no effect: the server may not know yet that there is the zone. */
  lacks(delivery: Delivery): void;
  /** The least pause in milliseconds before the next attempt, and between repetitions that go on and on. */
  pause(member: PoolMember, goesOnAndOn: boolean): number;
}

/** How long the answers to one NOTIFY after the other are waited for, in milliseconds. */
const NOTIFY_PATIENCE = [300, 700, 1000, 2000, 4000];
/** After a NOTIFY that was answered, until it is repeated to a server that still has an earlier serial. */
const FRUITLESS_PAUSE = [2000, 4000, 8000, 16_000, 32_000, 60_000];
/** After the NOTIFY was answered until the first question, and then from one to the next. */
const QUESTION_PAUSE = [20, 30, 50, 100, 300, 500, 1000, 2000, 4000, 8000, 16_000, 32_000, 60_000];
const QUESTION_PATIENCE = 2000;
/** How long a NOTIFY that another process has sent may take to have its effect, in milliseconds. */
const GRACE = 250;

/**
 * Brings one zone to one server: NOTIFY until it is answered, then questions for the serial until the server has the wanted
 * one. What is fruitless is repeated less and less often.
 */
export class Delivery {
  /** Since when the server lacks something, on the monotonic clock. */
  readonly since = performance.now();
  private unanswered = 0;
  private fruitless = 0;
  private asked = 0;
  private isAsking = false;
  /** Whether the NOTIFY of another process is left its time. */
  private isInGrace = false;
  private notifyTimer: NodeJS.Timeout | undefined;
  private questionTimer: NodeJS.Timeout | undefined;
  private questionDueAt = Infinity;
  /** Counts the beginnings, so that what belongs to an earlier one is known. */
  private round = 0;
  private hasEnded = false;

  constructor(
    readonly zone: DeliveredZone,
    readonly member: PoolMember,
    private readonly notifier: Notifier,
    private readonly report: DeliveryReport,
  ) {}

  /** Whether the server has been silent for some time. */
  get isUnanswered(): boolean {
    return this.unanswered > 2;
  }

  /**
   * Begins, or begins anew for another serial. Questions that are under way go on: they are for whatever is wanted.
   * @param isTold whether another process has sent the NOTIFY, if it lives
   */
  begin(isTold: boolean): void {
    this.unanswered = 0;
    this.fruitless = 0;
    this.round += 1;
    const { round } = this;
    clearTimeout(this.notifyTimer);
    this.isInGrace = isTold;
    if (!isTold) {
      void this.notify(round);
      return;
    }
    this.ask(0);
    this.notifyTimer = setTimeout(() => void this.notify(round), GRACE);
  }

  /** It was this process that has made the change, as was not known at the beginning. */
  hurry(): void {
    if (this.isInGrace) this.begin(false);
  }

  end(): void {
    this.hasEnded = true;
    clearTimeout(this.notifyTimer);
    clearTimeout(this.questionTimer);
  }

  private async notify(round: number): Promise<void> {
    this.isInGrace = false;
    const { serial } = this.zone;
    const answer = await this.notifier.notify(this.member, this.zone, at(NOTIFY_PATIENCE, this.unanswered));
    if (this.isOver() || round !== this.round) return;
    this.report.answered(this, answer, answer.kind === 'silence' ? null : serial);
    if (this.isOver()) return;
    if (answer.kind === 'silence') this.notifyAgain(round);
    else this.awaitFruit(round);
  }

  private notifyAgain(round: number): void {
    this.unanswered += 1;
    // It may have been the answers that were lost.
    if (this.unanswered > 1) this.ask(0);
    const pause = this.report.pause(this.member, this.unanswered >= NOTIFY_PATIENCE.length);
    this.notifyTimer = setTimeout(() => void this.notify(round), pause);
  }

  private awaitFruit(round: number): void {
    this.unanswered = 0;
    this.ask(0);
    const pause = this.pauseAfter(this.fruitless, FRUITLESS_PAUSE);
    if (this.fruitless > 0) this.report.lacks(this);
    this.fruitless += 1;
    this.notifyTimer = setTimeout(() => void this.notify(round), pause);
  }

  /** Asks for the serial after so many attempts, or sooner where that has been decided. */
  private ask(attempts: number): void {
    if (!this.member.isAsked || this.zone.isCatalog || this.isAsking) return;
    this.asked = attempts;
    const pause = attempts === 0 ? at(QUESTION_PAUSE, 0) : this.pauseAfter(attempts, QUESTION_PAUSE);
    const dueAt = performance.now() + pause;
    if (dueAt >= this.questionDueAt) return;
    clearTimeout(this.questionTimer);
    this.questionDueAt = dueAt;
    this.questionTimer = setTimeout(() => void this.askNow(), pause);
  }

  private async askNow(): Promise<void> {
    this.isAsking = true;
    this.questionDueAt = Infinity;
    const answer = await this.member.serialOf(this.zone.name, QUESTION_PATIENCE);
    this.isAsking = false;
    if (this.isOver()) return;
    this.report.answered(this, answer, null);
    if (!this.isOver()) this.ask(this.asked + 1);
  }

  /** Whoever is told of an answer may end it. */
  private isOver(): boolean {
    return this.hasEnded;
  }

  /** What has been tried often waits for all else that is to be done. */
  private pauseAfter(attempts: number, pauses: readonly number[]): number {
    return Math.max(at(pauses, attempts), this.report.pause(this.member, attempts >= pauses.length / 2));
  }
}

function at(values: readonly number[], index: number): number {
  return values[Math.min(index, values.length - 1)] ?? 0;
}
