import { SystemClock, toUnixSeconds } from '../common/clock.js';
import { Opcode, Rcode, RecordClass, rcodeName } from '../dns/message/codes.js';
import type { Message } from '../dns/message/message.js';
import type { DomainName } from '../dns/name.js';
import { NS } from '../dns/rdata/name-types.js';
import { SOA } from '../dns/rdata/soa.js';
import { DnsStream } from '../publishing/pool/dns-stream.js';
import { Pace } from '../publishing/pool/soa-questions.js';
import type { PrimaryAddress } from '../publishing/secondary/primary-client.js';
import type { AskedServer } from './asked-servers.js';
import type { ServerFailure } from './failure.js';

/** For connection and answer, in milliseconds. */
const TIME_LIMIT = 3000;
/** Some servers close a connection after an answer. */
const ATTEMPTS = 2;
/** Questions a second to one server. */
const RATE = 50;
const BURST = 8;
/** Octets of one connection. */
const MOST_OCTETS = 8 * 2 ** 20;
/** Consecutive questions without a usable answer after which a server is not asked again. */
const MOST_UNANSWERED = 5;

/** As DnsStream says it. */
const CLOSED = 'the connection was closed';

const clock = new SystemClock();
const unixClock = (): number => toUnixSeconds(clock.now());

/** Asks one server over TCP at a limited rate. Answers cannot be forged, and no third party gets traffic. */
export class ServerQuestions {
  private readonly stream: DnsStream;
  private readonly pace = new Pace(RATE, BURST);
  private unanswered = 0;
  private last: ServerFailure | null = null;

  private constructor(
    readonly server: AskedServer,
    { address, port }: PrimaryAddress,
  ) {
    this.stream = new DnsStream({ address, port, key: null }, unixClock, MOST_OCTETS);
  }

  /** Returns the servers that are authoritative for the zone, in order. The others get their failure. */
  static async begin(
    servers: readonly AskedServer[],
    zone: DomainName,
    stop: AbortSignal,
  ): Promise<readonly ServerQuestions[]> {
    const begun = servers.flatMap((server) =>
      server.endpoint === null ? [] : [new ServerQuestions(server, server.endpoint)],
    );
    const end = (): void => begun.forEach((one) => one.end());
    stop.addEventListener('abort', end, { once: true });
    if (stop.aborted) end();
    const answers = await Promise.all(begun.map((one) => one.ask(zone, SOA.code)));
    return begun.filter((one, at) => {
      const soa = answers[at]?.answers.some(({ type, owner }) => type === SOA.code && owner.equals(zone));
      if (soa === true) return true;
      const message = `${one.server.name} is not authoritative for the domain`;
      if (answers[at] !== null) one.server.fail({ reason: 'not_authoritative', message });
      one.giveUp();
      return false;
    });
  }

  get isSilent(): boolean {
    return this.unanswered >= MOST_UNANSWERED;
  }

  /** Returns an authoritative answer or a referral; `null` without a usable one. */
  async ask(name: DomainName, type: number): Promise<Message | null> {
    for (let attempt = 0; attempt < ATTEMPTS && !this.isSilent && (await this.pace.turn()); attempt++) {
      const question = { name, type, class: RecordClass.IN };
      const { message, ...reply } = await this.stream.ask({ opcode: Opcode.QUERY, question }, TIME_LIMIT);
      this.last = message === null ? this.silence('reason' in reply ? reply.reason : '') : this.faultOf(message);
      if (this.last === null) {
        this.unanswered = 0;
        return message;
      }
      if (message !== null || this.last.reason === 'no_answer') break;
    }
    this.unanswered += 1;
    if (this.isSilent) this.giveUp();
    return null;
  }

  end(): void {
    this.pace.end();
    this.stream.end();
  }

  private giveUp(): void {
    this.server.fail(this.last ?? this.silence(''));
    this.end();
  }

  /** Leaves out addresses, which only an internal resolver may know. */
  private silence(reason: string): ServerFailure {
    const { name } = this.server;
    const code = /\bE[A-Z]+\b/.exec(reason)?.[0];
    if (code !== undefined) return { reason: 'unreachable', message: `${name}: ${code}` };
    if (reason === CLOSED) return { reason: 'unreachable', message: `${name} closed the connection` };
    return { reason: 'no_answer', message: `${name} does not answer` };
  }

  private faultOf({ header, answers, authorities }: Message): ServerFailure | null {
    const { name } = this.server;
    const { rcode, isTruncated, isAuthoritative } = header;
    if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN)
      return { reason: 'refused', message: `${name} answered ${rcodeName(rcode)}` };
    if (isTruncated) return { reason: 'invalid_answer', message: `${name} cuts off answers over TCP` };
    const isReferral = answers.length === 0 && authorities.some(({ type }) => type === NS.code);
    if (isAuthoritative || (isReferral && rcode === Rcode.NOERROR)) return null;
    return { reason: 'not_authoritative', message: `${name} is not authoritative for the domain` };
  }
}
