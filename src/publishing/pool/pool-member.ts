import { SOA } from '../../dns/rdata/index.js';
import type { DomainName } from '../../dns/name.js';
import { RecordClass } from '../../dns/wire/codes.js';
import type { Message } from '../../dns/wire/message.js';
import { Opcode } from '../../dns/wire/opcode.js';
import { Rcode, rcodeName } from '../../dns/wire/rcode.js';
import type { DnsClient, Peer, Reply } from './dns-client.js';
import { Pace } from './pace.js';

/** What a server has said to a NOTIFY or to the question for a serial. */
export type Answer =
  | { readonly kind: 'done' }
  | { readonly kind: 'serial'; readonly serial: number }
  /** It has answered, and not what was hoped for. */
  | { readonly kind: 'error'; readonly reason: string }
  /** No answer that counts. */
  | { readonly kind: 'silence'; readonly reason: string };

/** NSD limits answers to 200 a second unless it is told otherwise. */
const QUESTIONS = { rate: 150, burst: 50 };
const NOTIFIES = { rate: 500, burst: 200 };
const LONG_QUEUE = 100;

/** A name server as this process speaks to it. */
export class PoolMember {
  private readonly notifyPace = new Pace(NOTIFIES.rate, NOTIFIES.burst);
  private readonly questionPace = new Pace(QUESTIONS.rate, QUESTIONS.burst);

  /**
   * @param label `192.0.2.53:53`
   * @param isAsked whether it is asked for its serials; otherwise it is only notified
   */
  constructor(
    readonly label: string,
    readonly isAsked: boolean,
    private readonly peer: Peer,
    private readonly client: DnsClient,
  ) {}

  /** Whether more would only wait. */
  get isBusy(): boolean {
    return this.notifyPace.length > LONG_QUEUE;
  }

  /** @param patience for the answer, in milliseconds */
  async notify(zone: DomainName, patience: number): Promise<Answer> {
    await this.notifyPace.turn();
    const reply = await this.ask(Opcode.NOTIFY, zone, patience);
    if (reply.message === null) return { kind: 'silence', reason: reply.reason };
    const { rcode } = reply.message.header;
    return rcode === Rcode.NOERROR ? { kind: 'done' } : { kind: 'error', reason: `NOTIFY: ${rcodeName(rcode)}` };
  }

  /** @param patience for the answer, in milliseconds */
  async serialOf(zone: DomainName, patience: number): Promise<Answer> {
    await this.questionPace.turn();
    const reply = await this.ask(Opcode.QUERY, zone, patience);
    if (reply.message === null) return { kind: 'silence', reason: reply.reason };
    return serialIn(reply.message, zone);
  }

  end(): void {
    this.notifyPace.end();
    this.questionPace.end();
  }

  private ask(opcode: number, zone: DomainName, patience: number): Promise<Reply> {
    const question = { name: zone, type: SOA.code, class: RecordClass.IN };
    return this.client.ask(this.peer, opcode, question, patience);
  }
}

function serialIn({ header, answers }: Message, zone: DomainName): Answer {
  const { rcode } = header;
  if (rcode !== Rcode.NOERROR) return { kind: 'error', reason: `SOA: ${rcodeName(rcode)}` };
  const soa = answers.find(({ type, owner }) => type === SOA.code && owner.equals(zone));
  if (soa === undefined || !header.isAuthoritative) return { kind: 'error', reason: 'SOA: not authoritative' };
  return { kind: 'serial', serial: SOA.values(soa.rdata).serial };
}
