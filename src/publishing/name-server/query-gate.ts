import { clientOfAddress } from '../../common/network/client-address.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { type Clock, toUnixSeconds } from '../../common/clock.js';
import { DomainName } from '../../dns/name.js';
import { RecordClass } from '../../dns/message/codes.js';
import { SOA } from '../../dns/rdata/index.js';
import { parseIpv4, parseIpv6 } from '../../dns/rdata/address.js';
import { type EdnsOption, EdnsOptionCode, ednsOption } from '../../dns/message/edns.js';
import { HEADER_OCTETS, readHeader } from '../../dns/message/header.js';
import type { Message } from '../../dns/message/message.js';
import { MessageError } from '../../dns/message/message-error.js';
import { readRequest } from '../../dns/message/message-reader.js';
import { Opcode } from '../../dns/message/opcode.js';
import type { Question } from '../../dns/message/question.js';
import { Rcode } from '../../dns/message/rcode.js';
import { claimedKeyOf } from '../../dns/message/tsig/claimed-key.js';
import { algorithmName, TSIG_ALGORITHMS, type TsigKey, TsigKeys } from '../../dns/message/tsig/tsig-key.js';
import type { TsigRecord } from '../../dns/message/tsig/tsig-record.js';
import { type TsigVerdict, verifyRequest } from '../../dns/message/tsig/tsig-request.js';
import type { Caller } from '../../common/caller.js';
import type { PublishingOptions } from '../publishing.options.js';
import { AccessList } from './access-list.js';
import type { Client } from './client.js';
import { CookieSecrets } from './cookie-secrets.js';
import { refusalOf, ResponseBuilder, SMALLEST_DATAGRAM } from './response-builder.js';
import type { UpdateHandler } from './update-handler.js';

/** A request of a client who may ask, or a NOTIFY. */
export interface Query {
  readonly request: Message;
  readonly question: Question;
  readonly client: Client;
  /** An untrusted client may not request zones as name servers do. It may be a primary that sends NOTIFY, or one of the next two. */
  readonly isUntrusted: boolean;
  /** It may ask for the records of any zone. */
  readonly isReader: boolean;
  /** Whom the update key stands for that has signed; `null`: none has. */
  readonly updateClient: Caller | null;
  readonly reply: ResponseBuilder;
}

/** Of an UPDATE that has none, which is refused for that. */
const NO_ZONE: Question = { name: DomainName.ROOT, type: SOA.code, class: RecordClass.IN };

/**
 * Judges messages before anything is looked up: form, EDNS, cookie, signature, and whether the sender may ask. Whoever may
 * not is answered the same for every name (behaviour 12.1).
 */
export class QueryGate {
  /** Those of the configuration. */
  private readonly ownKeys: TsigKeys;
  private readonly keys: Pick<TsigKeys, 'find'>;
  private readonly access: AccessList;
  private readonly readers: AccessList;
  private readonly opcodes: readonly number[];
  private readonly cookies = new CookieSecrets();
  private readonly clockWarning = new ThrottledLogger();
  private readonly keyWarning = new ThrottledLogger();
  private readonly secretWarning = new ThrottledLogger();
  private readonly updateWarning = new ThrottledLogger();
  private readonly failure = new ThrottledLogger();

  constructor(
    { keys, access, readers }: Pick<PublishingOptions, 'keys' | 'access' | 'readers'>,
    private readonly updates: UpdateHandler,
    private readonly clock: Clock,
  ) {
    this.ownKeys = new TsigKeys(keys.map((key) => ({ ...key, name: DomainName.parse(key.name) })));
    this.keys = { find: (name, algorithm) => this.ownKeys.find(name, algorithm) ?? updates.keys.find(name, algorithm) };
    this.access = new AccessList(access);
    this.readers = new AccessList(readers);
    const queries = [Opcode.QUERY, Opcode.NOTIFY];
    this.opcodes = updates.areTaken ? [...queries, Opcode.UPDATE] : queries;
  }

  /**
   * Names the sender of a message before the message is read, for turns and bounds: its address, together with the key that it
   * claims to have signed with, if that key exists. A flood without a key leaves the places of those who sign alone.
   */
  senderOf(octets: Buffer, { address }: Client): string {
    const client = clientOfAddress(address);
    const claimed = claimedKeyOf(octets);
    const key = claimed === null ? undefined : this.keys.find(claimed.name, claimed.algorithm);
    return key === undefined ? client : `${client} with the key ${key.name.toString()}`;
  }

  /** @returns what is to be answered, or the answer where that is known by now; `null` where nobody is answered */
  judge(octets: Buffer, client: Client): Query | Buffer | null {
    try {
      return this.judgeRequest(readRequest(octets, this.opcodes), octets, client);
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
    const signed = verdict?.isValid === true ? verdict.key : null;
    const access = this.accessOf(client, signed);
    const isByAddress = verdict === null && access.isUntrusted;
    const reply = new ResponseBuilder(
      request,
      client,
      cookie,
      verdict?.signer,
      isByAddress ? SMALLEST_DATAGRAM : undefined,
    );
    if (request.header.opcode === Opcode.UPDATE) {
      if (verdict?.isValid === false) return reply.verdict(Rcode.NOTAUTH);
      return this.judgeUpdate({ request, client, reply, ...access }, signed);
    }
    if (verdict?.isValid === false) return reply.message(Rcode.NOTAUTH);
    const [question] = request.questions;
    // A client may ask for a cookie alone (RFC 7873 §5.4).
    if (question === undefined) return reply.message(Rcode.NOERROR);
    const { isUntrusted, isReader, updateClient } = access;
    const mayAsk = !isUntrusted || isReader || updateClient !== null || request.header.opcode === Opcode.NOTIFY;
    return mayAsk ? { request, question, client, reply, ...access } : reply.message(Rcode.REFUSED);
  }

  private accessOf(client: Client, key: TsigKey | null): Pick<Query, 'isUntrusted' | 'isReader' | 'updateClient'> {
    const name = key?.name ?? null;
    return {
      isUntrusted: !this.access.allows(client.address, name),
      isReader: this.readers.allows(client.address, name),
      updateClient: key === null ? null : this.updates.callerOf(key, client),
    };
  }

  /** Who has no update key learns nothing. What is wrong with the message of who has one is told by `UpdateHandler`. */
  private judgeUpdate(query: Omit<Query, 'question'>, key: TsigKey | null): Query | Buffer {
    const [question = NO_ZONE] = query.request.questions;
    if (query.updateClient !== null) return { ...query, question };
    if (key !== null && this.isConfigured(key))
      this.updateWarning.warn(
        `an update from ${query.client.address} is REFUSED: the key ${key.name.toString()} of [service:mdns] tsig_keys is for` +
          ' name servers, and updates nothing',
      );
    return query.reply.verdict(Rcode.REFUSED);
  }

  private isConfigured({ name, algorithm }: TsigKey): boolean {
    return this.ownKeys.find(name, algorithmName(algorithm)) !== undefined;
  }

  /** None of an UPDATE, which has a signature in its place: the answer would be the longer of the two (behaviour 20.2). */
  private cookieFor({ header, edns }: Message, { address }: Client): EdnsOption[] {
    if (header.opcode === Opcode.UPDATE) return [];
    const sent = ednsOption(edns, EdnsOptionCode.COOKIE);
    if (sent === undefined) return [];
    const now = this.now();
    const octets = parseIpv4(address) ?? parseIpv6(address) ?? new Uint8Array();
    return [{ code: EdnsOptionCode.COOKIE, data: this.cookies.at(now).judge(sent, octets, now).answer }];
  }

  private verify(request: Message, octets: Buffer, { address }: Client): TsigVerdict | null {
    const verdict = verifyRequest(octets, request, this.keys, () => this.now());
    if (verdict?.isValid === false && request.tsig !== null) this.warnOf(verdict.error, request.tsig, address);
    return verdict;
  }

  private warnOf(error: number, { keyName, algorithm, timeSigned }: TsigRecord, address: string): void {
    const key = keyName.toString();
    if (error === Rcode.BADTIME) {
      const ahead = timeSigned - this.now();
      this.clockWarning.warn(`${address} is refused (BADTIME): its clock is ${ahead} seconds ahead of ours`);
    } else if (error === Rcode.BADKEY)
      this.keyWarning.warn(
        `${address} is refused (BADKEY): there is no key ${key} for ${algorithm.toString()}; the algorithms are` +
          ` ${TSIG_ALGORITHMS.join(', ')}`,
      );
    else this.secretWarning.warn(`${address} is refused (BADSIG): its secret of the key ${key} is another one`);
  }

  private now(): number {
    return toUnixSeconds(this.clock.now());
  }
}
