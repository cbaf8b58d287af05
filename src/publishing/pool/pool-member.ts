import { Histogram, secondsSince } from '../../observability/histogram.js';
import { Counter } from '../../observability/counter.js';
import { SOA } from '../../dns/rdata/index.js';
import type { DomainName } from '../../dns/name.js';
import { RecordClass } from '../../dns/message/codes.js';
import type { Message } from '../../dns/message/message.js';
import type { Question } from '../../dns/message/question.js';
import { Opcode } from '../../dns/message/opcode.js';
import { Rcode, rcodeName } from '../../dns/message/rcode.js';
import type { DnsClient, Peer } from './dns-client.js';
import { Pace } from './pace.js';
import { SoaQuestions } from './soa-questions.js';

/** What a server has said to a NOTIFY or to the question for a serial. */
export type SentAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'serial'; readonly serial: number }
  /** It has answered, and not what was hoped for; where it is no failure of its own, it refuses. */
  | { readonly kind: 'error'; readonly reason: string; readonly isRefusal: boolean }
  /** No answer that counts. */
  | { readonly kind: 'silence'; readonly reason: string };

/** The same, or that nothing was sent, because too much waits for the server. */
export type Answer = SentAnswer | { readonly kind: 'unsent' };

const NOTIFICATIONS = new Counter({
  name: 'zonewright_notifies_total',
  help: 'NOTIFY messages to the name servers of the pool: answered, refused, or unanswered.',
  labels: ['server', 'result'],
});
const NOTIFY_DURATIONS = new Histogram({
  name: 'zonewright_notify_duration_seconds',
  help: 'How long name servers took to answer a NOTIFY.',
  labels: ['server'],
});

const NOTIFIES = { rate: 500, burst: 200 };
const LONG_QUEUE = 100;

/** A name server as this process speaks to it. */
export class PoolMember {
  private readonly notifyPace = new Pace(NOTIFIES.rate, NOTIFIES.burst);
  private readonly questions: SoaQuestions;

  /**
   * @param label `192.0.2.53:53`
   * @param isAsked whether it is asked for its serials; otherwise it is only notified
   */
  constructor(
    readonly label: string,
    readonly isAsked: boolean,
    private readonly peer: Peer,
    private readonly client: DnsClient,
  ) {
    this.questions = new SoaQuestions(peer, client);
  }

  /** Whether more would only wait. */
  get isBusy(): boolean {
    return this.notifyPace.length > LONG_QUEUE;
  }

  /** @param timeLimit for the answer, in milliseconds */
  async notify(zone: DomainName, timeLimit: number): Promise<Answer> {
    if (!(await this.notifyPace.turn())) return { kind: 'unsent' };
    const question = { name: zone, type: SOA.code, class: RecordClass.IN };
    const begun = performance.now();
    const reply = await this.client.ask(this.peer, { opcode: Opcode.NOTIFY, question }, timeLimit);
    if (reply.message === null) {
      NOTIFICATIONS.of(this.label, 'unanswered').add();
      return { kind: 'silence', reason: reply.reason };
    }
    const { rcode } = reply.message.header;
    NOTIFICATIONS.of(this.label, rcode === Rcode.NOERROR ? 'answered' : 'refused').add();
    NOTIFY_DURATIONS.of(this.label).observe(secondsSince(begun));
    return rcode === Rcode.NOERROR ? { kind: 'done' } : errorOf('NOTIFY', rcode);
  }

  /** @param timeLimit for the answer, in milliseconds */
  async serialOf(zone: DomainName, timeLimit: number): Promise<Answer> {
    const reply = await this.questions.ask({ name: zone, type: SOA.code, class: RecordClass.IN }, timeLimit);
    if (reply === null) return { kind: 'unsent' };
    if (reply.message === null) return { kind: 'silence', reason: reply.reason };
    return serialIn(reply.message, zone);
  }

  /**
   * Asks for other records.
   * @param timeLimit for the answer, in milliseconds
   * @returns `null` where no answer has come, or serials are asked for first
   */
  async answerTo(question: Question, timeLimit: number): Promise<Message | null> {
    if (this.questions.isBusy) return null;
    const reply = await this.questions.ask(question, timeLimit);
    return reply?.message ?? null;
  }

  end(): void {
    this.notifyPace.end();
    this.questions.end();
  }
}

function serialIn({ header, answers }: Message, zone: DomainName): Answer {
  const { rcode } = header;
  if (rcode !== Rcode.NOERROR) return errorOf('SOA', rcode);
  const soa = answers.find(({ type, owner }) => type === SOA.code && owner.equals(zone));
  if (soa === undefined || !header.isAuthoritative)
    return { kind: 'error', reason: 'SOA: not authoritative', isRefusal: true };
  return { kind: 'serial', serial: SOA.values(soa.rdata).serial };
}

function errorOf(what: string, rcode: number): Answer {
  return { kind: 'error', reason: `${what}: ${rcodeName(rcode)}`, isRefusal: rcode !== Rcode.SERVFAIL };
}
