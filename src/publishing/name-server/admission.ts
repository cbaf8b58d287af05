import { RareWarning } from '../../common/rare-warning.js';
import { type Clock, toUnixSeconds } from '../../common/clock.js';
import { DomainName } from '../../dns/name.js';
import { parseIpv4, parseIpv6 } from '../../dns/rdata/address.js';
import { type EdnsOption, EdnsOptionCode, ednsOption } from '../../dns/message/edns.js';
import { HEADER_OCTETS, readHeader } from '../../dns/message/header.js';
import type { Message } from '../../dns/message/message.js';
import { MessageError } from '../../dns/message/message-error.js';
import { readRequest } from '../../dns/message/message-reader.js';
import { Opcode } from '../../dns/message/opcode.js';
import type { Question } from '../../dns/message/question.js';
import { Rcode } from '../../dns/message/rcode.js';
import { TsigKeys } from '../../dns/message/tsig/tsig-key.js';
import { type TsigVerdict, verifyRequest } from '../../dns/message/tsig/tsig-request.js';
import type { PublishingOptions } from '../publishing.options.js';
import { AccessList } from './access-list.js';
import type { Client } from './client.js';
import { CookieSecrets } from './cookie-secrets.js';
import { refusalOf, Reply } from './reply.js';

/** A request of a client who may ask, or a NOTIFY. */
export interface Query {
  readonly request: Message;
  readonly question: Question;
  readonly client: Client;
  /** A stranger is admitted with a NOTIFY alone, since it may be a master of a zone. */
  readonly isStranger: boolean;
  readonly reply: Reply;
}

/**
 * Judges messages before anything is looked up: form, EDNS, cookie, signature, and whether the sender may ask. Whoever may
 * not is answered the same for every name (behaviour 12.1).
 */
export class Admission {
  private readonly keys: TsigKeys;
  private readonly access: AccessList;
  private readonly cookies = new CookieSecrets();
  private readonly clockWarning = new RareWarning();
  private readonly failure = new RareWarning();

  constructor(
    { keys, access }: Pick<PublishingOptions, 'keys' | 'access'>,
    private readonly clock: Clock,
  ) {
    this.keys = new TsigKeys(keys.map((key) => ({ ...key, name: DomainName.parse(key.name) })));
    this.access = new AccessList(access);
  }

  /** @returns what is to be answered, or the answer where that is known by now; `null` where nobody is answered */
  judge(octets: Buffer, client: Client): Query | Buffer | null {
    try {
      return this.judgeRequest(readRequest(octets), octets, client);
    } catch (error) {
      return refusalOf(error instanceof MessageError ? error : this.failureOf(error, octets));
    }
  }

  /** What should not happen is logged, and answered as far as there is a header. */
  private failureOf(error: unknown, octets: Buffer): MessageError {
    this.failure.warn(
      `a message is answered SERVFAIL: ${error instanceof Error ? String(error.stack) : String(error)}`,
    );
    const request = octets.length < HEADER_OCTETS ? null : { header: readHeader(octets), question: null };
    return new MessageError(Rcode.SERVFAIL, String(error), request);
  }

  private judgeRequest(request: Message, octets: Buffer, client: Client): Query | Buffer {
    const cookie = this.cookieFor(request, client);
    const verdict = this.verify(request, octets, client);
    const reply = new Reply(request, client, cookie, verdict?.signer);
    if (verdict?.isValid === false) return reply.message(Rcode.NOTAUTH);
    const [question] = request.questions;
    // A client may ask for a cookie alone (RFC 7873 §5.4).
    if (question === undefined) return reply.message(Rcode.NOERROR);
    const isStranger = !this.access.allows(client.address, verdict?.key.name ?? null);
    if (isStranger && request.header.opcode !== Opcode.NOTIFY) return reply.message(Rcode.REFUSED);
    return { request, question, client, isStranger, reply };
  }

  private cookieFor({ edns }: Message, { address }: Client): EdnsOption[] {
    const sent = ednsOption(edns, EdnsOptionCode.COOKIE);
    if (sent === undefined) return [];
    const now = this.now();
    const octets = parseIpv4(address) ?? parseIpv6(address) ?? new Uint8Array();
    return [{ code: EdnsOptionCode.COOKIE, data: this.cookies.at(now).judge(sent, octets, now).answer }];
  }

  private verify(request: Message, octets: Buffer, { address }: Client): TsigVerdict | null {
    const verdict = verifyRequest(octets, request, this.keys, () => this.now());
    if (verdict?.isValid === false && verdict.error === Rcode.BADTIME) {
      const ahead = (request.tsig?.timeSigned ?? 0) - this.now();
      this.clockWarning.warn(`${address} is refused (BADTIME): its clock is ${ahead} seconds ahead of ours`);
    }
    return verdict;
  }

  private now(): number {
    return toUnixSeconds(this.clock.now());
  }
}
