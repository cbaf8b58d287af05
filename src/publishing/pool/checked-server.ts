import type { Message } from '../../dns/message/message.js';
import type { Question } from '../../dns/message/question.js';
import type { DomainName } from '../../dns/name.js';
import type { Comparison } from './answer-comparison.js';
import { Pace } from './pace.js';
import type { Answer, PoolMember } from './pool-member.js';

/** For each answer, in milliseconds. */
const TIME_LIMIT = 2000;
/** A question without an answer is repeated: datagrams get lost. */
const ATTEMPTS = 2;
/** Questions about one domain that stay unanswered before it is left. */
const MOST_UNANSWERED = 5;
/** Domains without an answer, one after another, before the server is left out of the rest. */
const MOST_SILENT_ZONES = 3;

/** A name server that is asked for all record sets of all domains, not faster than it is to be asked. */
export class CheckedServer {
  private readonly pace: Pace;
  private silentZones = 0;

  /** @param rate questions a second */
  constructor(
    private readonly member: PoolMember,
    rate: number,
  ) {
    this.pace = new Pace(rate, 1);
  }

  get label(): string {
    return this.member.label;
  }

  get isLeftOut(): boolean {
    return this.silentZones >= MOST_SILENT_ZONES;
  }

  async serialOf(name: DomainName): Promise<Answer> {
    let answer: Answer = { kind: 'unsent' };
    for (let attempt = 0; attempt < ATTEMPTS && (await this.pace.turn()); attempt++) {
      answer = await this.member.serialOf(name, TIME_LIMIT);
      if (answer.kind === 'serial' || answer.kind === 'error') break;
    }
    this.silentZones = answer.kind === 'silence' ? this.silentZones + 1 : 0;
    return answer;
  }

  /** `null` where no answer has come. */
  async answerTo(question: Question): Promise<Message | null> {
    for (let attempt = 0; attempt < ATTEMPTS && (await this.pace.turn()); attempt++) {
      const message = await this.member.answerTo(question, TIME_LIMIT);
      if (message !== null) return message;
    }
    return null;
  }

  end(): void {
    this.pace.end();
  }
}

/** How one server has answered for one domain so far. */
export class AnswerCount {
  private asked = 0;
  private others = 0;
  private unanswered = 0;
  private example: string | null = null;

  constructor(readonly server: CheckedServer) {}

  /** Whether asking on is of no use. */
  get isUnanswered(): boolean {
    return this.unanswered >= MOST_UNANSWERED;
  }

  count(question: string, compared: Comparison): void {
    if (compared.kind === 'left out') return;
    this.asked += 1;
    if (compared.kind === 'unknown') this.unanswered += 1;
    if (compared.kind !== 'other') return;
    this.others += 1;
    this.example ??= `${question}: ${compared.how}`;
  }

  /** `null` where every answer was right. */
  get finding(): string | null {
    const { asked, others, unanswered, example } = this;
    const sets = `of ${asked} record ${asked === 1 ? 'set' : 'sets'}`;
    const parts = [
      ...(example === null ? [] : [`wrong answers for ${others} ${sets}, such as ${example}`]),
      ...(unanswered === 0 ? [] : [`no usable answer for ${unanswered} ${sets}`]),
    ];
    return parts.length === 0 ? null : parts.join('; ');
  }
}
