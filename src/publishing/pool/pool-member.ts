import { Histogram, secondsSince, Counter } from '../../observability/metrics.js';
import { SOA } from '../../dns/rdata/index.js';
import { DomainName } from '../../dns/name.js';
import { RecordClass, Opcode, Rcode, rcodeName } from '../../dns/message/codes.js';
import type { Message, Question } from '../../dns/message/message.js';
import { DnsClient, type Peer } from './dns-client.js';
import { Pace, SoaQuestions } from './soa-questions.js';
import { Injectable } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import type { TsigKey } from '../../dns/message/tsig/tsig-key.js';
import { PublishingOptions } from '../publishing.options.js';
import { type NotifiedServer, serverLabel } from '../publishing-readers.js';

export type SentAnswer =
  | { readonly kind: 'done' }
  | { readonly kind: 'serial'; readonly serial: number }
  /** An unexpected answer. All errors except SERVFAIL count as a refusal. */
  | { readonly kind: 'error'; readonly reason: string; readonly isRefusal: boolean }
  | { readonly kind: 'silence'; readonly reason: string };

/** `unsent`: the queue of the server is full. */
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

export class PoolMember {
  private readonly notifyPace = new Pace(NOTIFIES.rate, NOTIFIES.burst);
  private readonly questions: SoaQuestions;

  /** `label` is `192.0.2.53:53`. If `isAsked` is false, the server is only notified, never asked for serials. */
  constructor(
    readonly label: string,
    readonly isAsked: boolean,
    private readonly peer: Peer,
    private readonly client: DnsClient,
  ) {
    this.questions = new SoaQuestions(peer, client);
  }

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

  async serialOf(zone: DomainName, timeLimit: number): Promise<Answer> {
    const reply = await this.questions.ask({ name: zone, type: SOA.code, class: RecordClass.IN }, timeLimit);
    if (reply === null) return { kind: 'unsent' };
    if (reply.message === null) return { kind: 'silence', reason: reply.reason };
    return serialIn(reply.message, zone);
  }

  /** Returns `null` without an answer, or while serial queries have priority. */
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

@Injectable()
export class PoolMembers {
  readonly all: readonly PoolMember[];
  readonly notifier = new Notifier();
  private readonly client: DnsClient;

  constructor(
    private readonly options: PublishingOptions,
    clock: Clock,
  ) {
    this.client = new DnsClient(() => toUnixSeconds(clock.now()));
    this.all = [
      ...options.servers.map((server) => this.memberOf(server, true)),
      ...options.alsoNotified.map((server) => this.memberOf(server, false)),
    ];
  }

  async end(): Promise<void> {
    for (const member of this.all) member.end();
    await this.client.close();
  }

  private memberOf(server: NotifiedServer, isAsked: boolean): PoolMember {
    const { address, port, key } = server;
    return new PoolMember(serverLabel(server), isAsked, { address, port, key: this.keyNamed(key) }, this.client);
  }

  private keyNamed(name: string | null): TsigKey | null {
    const key = this.options.keys.find((known) => known.name === name);
    return key === undefined ? null : { ...key, name: DomainName.parse(key.name) };
  }
}

export interface NotifiedZone {
  readonly id: string;
  readonly name: DomainName;
}

/** Minimum time between two NOTIFYs of one zone to one server, in milliseconds. */
const SPACING = 10;
/** Timeout after which the next NOTIFY may follow, in milliseconds. */
const LOST_AFTER = 300;

/** Allows one unanswered NOTIFY (RFC 1996) per zone and server. Without an SOA record, it cannot be outdated. */
export class Notifier {
  private readonly underWay = new Map<string, { readonly over: Promise<void>; next: Promise<Answer> | null }>();

  notify(member: PoolMember, zone: NotifiedZone, timeLimit: number): Promise<Answer> {
    const key = `${member.label} ${zone.id}`;
    const before = this.underWay.get(key);
    if (before !== undefined) return (before.next ??= before.over.then(() => this.notify(member, zone, timeLimit)));
    const answer = member.notify(zone.name, timeLimit);
    const over = whenOver(answer).then(() => void this.underWay.delete(key));
    this.underWay.set(key, { over, next: null });
    return answer;
  }
}

function whenOver(answer: Promise<Answer>): Promise<void> {
  const begun = performance.now();
  return new Promise((resolve) => {
    const lost = setTimeout(resolve, LOST_AFTER);
    void answer.finally(() => {
      clearTimeout(lost);
      setTimeout(resolve, SPACING - (performance.now() - begun));
    });
  });
}
