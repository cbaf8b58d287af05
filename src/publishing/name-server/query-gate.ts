import { clientOfAddress, NetworkList } from '../../common/network/network.js';
import { ThrottledLogger } from '../../common/throttled-logger.js';
import { type Clock, toUnixSeconds } from '../../common/clock.js';
import { DomainName } from '../../dns/name.js';
import { RecordClass, Opcode, Rcode } from '../../dns/message/codes.js';
import { SOA } from '../../dns/rdata/index.js';
import { parseIpv4, parseIpv6 } from '../../dns/rdata/address.js';
import { type EdnsOption, EdnsOptionCode, ednsOption } from '../../dns/message/edns.js';
import { HEADER_OCTETS } from '../../dns/message/wire.js';
import { readHeader } from '../../dns/message/header.js';
import { type Message, MessageError, type Question } from '../../dns/message/message.js';
import { readRequest } from '../../dns/message/message-reader.js';
import { claimedKeyOf } from '../../dns/message/tsig/claimed-key.js';
import { algorithmName, TSIG_ALGORITHMS, type TsigKey, TsigKeys } from '../../dns/message/tsig/tsig-key.js';
import type { TsigRecord } from '../../dns/message/tsig/tsig-record.js';
import { type TsigVerdict, verifyRequest } from '../../dns/message/tsig/tsig-request.js';
import type { Caller } from '../../common/caller.js';
import type { PublishingOptions } from '../publishing.options.js';
import { type Client, refusalOf, ResponseBuilder, SMALLEST_DATAGRAM } from './response-builder.js';
import type { UpdateHandler } from './update-handler.js';
import type { NetworkAccess } from '../publishing-readers.js';
import { randomBytes } from 'node:crypto';
import { ServerCookies } from '../../dns/message/cookies.js';

/** A request from a permitted client, or a NOTIFY. */
export interface Query {
  readonly request: Message;
  readonly question: Question;
  readonly client: Client;
  /** May not transfer zones. May be a primary that sends NOTIFY, a reader or an update client. */
  readonly isUntrusted: boolean;
  /** A reader may query the records of any zone. */
  readonly isReader: boolean;
  /** Owner of the update key that has signed the request, or `null`. */
  readonly updateClient: Caller | null;
  readonly reply: ResponseBuilder;
}

/** Placeholder for an UPDATE without a zone section, which is refused. */
const NO_ZONE: Question = { name: DomainName.ROOT, type: SOA.code, class: RecordClass.IN };

/** Checks messages before any lookup, so that refusals do not depend on the name (behaviour 12.1). */
export class QueryGate {
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

  /** By address and, if the key exists, by the claimed key. A flood without keys leaves room for signing clients. */
  senderOf(octets: Buffer, { address }: Client): string {
    const client = clientOfAddress(address);
    const claimed = claimedKeyOf(octets);
    const key = claimed === null ? undefined : this.keys.find(claimed.name, claimed.algorithm);
    return key === undefined ? client : `${client} with the key ${key.name.toString()}`;
  }

  /** @returns the query, or the final answer; `null` if the message gets no answer */
  judge(octets: Buffer, client: Client): Query | Buffer | null {
    try {
      return this.judgeRequest(readRequest(octets, this.opcodes), octets, client);
    } catch (error) {
      return refusalOf(error instanceof MessageError ? error : this.failureOf(error, octets));
    }
  }

  private failureOf(error: unknown, octets: Buffer): MessageError {
    this.failure.warn(
      `Answered a message with SERVFAIL: ${error instanceof Error ? String(error.stack) : String(error)}`,
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
      isUntrusted: !this.access.allows(client, name),
      isReader: this.readers.allows(client, name),
      updateClient: key === null ? null : this.updates.callerOf(key, client),
    };
  }

  /** Clients without an update key learn nothing. `UpdateHandler` reports errors to the others. */
  private judgeUpdate(query: Omit<Query, 'question'>, key: TsigKey | null): Query | Buffer {
    const [question = NO_ZONE] = query.request.questions;
    if (query.updateClient !== null) return { ...query, question };
    if (key !== null && this.isConfigured(key))
      this.updateWarning.warn(
        `Refused an UPDATE from ${query.client.address}: key ${key.name.toString()} of [service:mdns] tsig_keys is for name` +
          ' servers only. Use an update key.',
      );
    return query.reply.verdict(Rcode.REFUSED);
  }

  private isConfigured({ name, algorithm }: TsigKey): boolean {
    return this.ownKeys.find(name, algorithmName(algorithm)) !== undefined;
  }

  /** UPDATE gets no cookie, because its signature suffices and the answer would exceed the request (behaviour 20.2). */
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
      this.clockWarning.warn(`Refused a request from ${address} (BADTIME): its clock is ${ahead} seconds ahead.`);
    } else if (error === Rcode.BADKEY)
      this.keyWarning.warn(
        `Refused a request from ${address} (BADKEY): no TSIG key named ${key} with algorithm ${algorithm.toString()}.` +
          ` Supported algorithms: ${TSIG_ALGORITHMS.join(', ')}.`,
      );
    else this.secretWarning.warn(`Refused a request from ${address} (BADSIG): TSIG key ${key} has another secret.`);
  }

  private now(): number {
    return toUnixSeconds(this.clock.now());
  }
}

class AccessList {
  /** Networks by condition. */
  private readonly networks = new Map<string, NetworkList>();

  constructor(entries: readonly NetworkAccess[]) {
    for (const entry of entries) this.networksOf(conditionOf(entry)).add(entry.network);
  }

  allows({ address, tls }: Client, key: DomainName | null): boolean {
    const met = [
      ADDRESS,
      ...(key === null ? [] : [`${KEY} ${key.key}`]),
      ...(tls === null ? [] : [TLS, ...tls.names.map((name) => `${TLS} ${name}`)]),
    ];
    return met.some((condition) => this.networks.get(condition)?.has(address) ?? false);
  }

  private networksOf(condition: string): NetworkList {
    const networks = this.networks.get(condition) ?? new NetworkList();
    this.networks.set(condition, networks);
    return networks;
  }
}

const ADDRESS = 'address';
const KEY = 'key';
const TLS = 'tls';

function conditionOf({ key, tls }: NetworkAccess): string {
  if (tls !== undefined) return tls.name === null ? TLS : `${TLS} ${tls.name}`;
  return key === null ? ADDRESS : `${KEY} ${DomainName.parse(key).key}`;
}

const SECRET_OCTETS = 16;
/** In seconds; RFC 7873 §7.1 allows at most 36 days. */
const LIFETIME = 86_400;

/** Server cookies with a random secret that changes daily. */
class CookieSecrets {
  private secret = randomBytes(SECRET_OCTETS);
  private cookies = new ServerCookies(this.secret);
  private madeAt: number | null = null;

  /** @param now in seconds since 1970 */
  at(now: number): ServerCookies {
    this.madeAt ??= now;
    if (now - this.madeAt > LIFETIME) this.renew(now);
    return this.cookies;
  }

  private renew(now: number): void {
    const previous = this.secret;
    this.secret = randomBytes(SECRET_OCTETS);
    this.cookies = new ServerCookies(this.secret, previous);
    this.madeAt = now;
  }
}
