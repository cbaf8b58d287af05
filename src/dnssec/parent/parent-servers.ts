import { Injectable } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { Type } from '../../dns/dnssec/wire-set.js';
import { RecordClass, Opcode, Rcode, rcodeName } from '../../dns/message/codes.js';
import type { Message } from '../../dns/message/message.js';
import { DomainName } from '../../dns/name.js';
import { keyAbove, wireOfKey } from '../../dns/name-key.js';
import { DS } from '../../dns/rdata/dnssec.js';
import { NS } from '../../dns/rdata/name-types.js';
import { RdataError } from '../../dns/rdata/index.js';
import type { Reply } from '../../publishing/pool/dns-client.js';
import { DnsStream } from '../../publishing/pool/dns-stream.js';
import { AllowedPrimaries } from '../../zones/primaries/primaries.js';
import { DnssecOptions } from '../dnssec.options.js';
import type { ParentObservation, ResolverObservation, ServerObservation } from './parent-observation.js';
import { ParentQueryError, ValidatingResolver } from './validating-resolver.js';

const PORT = 53;
/** For connection and answer. */
const ANSWER_TIMEOUT_MS = 5000;
const NS_TIMEOUT_MS = 2000;
/** Two TCP messages with their lengths: DS and NS. */
const MAX_OCTETS = 2 * (2 + 0xffff);
/** The root and the largest top-level domains have 13. */
const MAX_SERVERS = 20;
const MAX_DS = 24;
const MAX_NS = 32;

type Answer = Omit<ServerObservation, 'name'>;

@Injectable()
export class ParentServers {
  private readonly allowed: AllowedPrimaries;

  constructor(
    private readonly resolver: ValidatingResolver,
    private readonly clock: Clock,
    { parents }: DnssecOptions,
  ) {
    this.allowed = new AllowedPrimaries(parents);
  }

  get isConfigured(): boolean {
    return this.resolver.isConfigured;
  }

  /** Checks an address that tenants can influence. */
  allows(address: string): boolean {
    return this.allowed.allows(address);
  }

  async observe(zone: DomainName): Promise<ParentObservation> {
    const resolver = await this.observeResolver(zone);
    try {
      const parent = await this.resolver.zoneOf(DomainName.read(wireOfKey(keyAbove(zone.key))));
      const servers = await this.askAll(zone, parent);
      return { zone: parent.toString(), isHosted: false, servers, resolver, problem: null };
    } catch (error) {
      if (!(error instanceof ParentQueryError) && !(error instanceof RdataError)) throw error;
      return { zone: null, isHosted: false, servers: [], resolver, problem: error.message };
    }
  }

  private async observeResolver(zone: DomainName): Promise<ResolverObservation> {
    const message = await this.resolver.ask(zone, Type.DS);
    if (message === null) return { verdict: 'silent', ds: null };
    const { rcode, isAuthenticData } = message.header;
    if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN) return { verdict: 'bogus', ds: null };
    return { verdict: isAuthenticData ? 'secure' : 'insecure', ds: dsIn(message, zone).ds };
  }

  private async askAll(zone: DomainName, parent: DomainName): Promise<ServerObservation[]> {
    const names = await this.resolver.nameServersOf(parent);
    if (names.length === 0) throw new ParentQueryError(`no name server of ${parent.toString()} is known`);
    if (names.length > MAX_SERVERS)
      throw new ParentQueryError(`${parent.toString()} has more than ${MAX_SERVERS} name servers`);
    const asked = new Map<string, Promise<Answer>>();
    const inOrder = [...names].sort((one, other) => (one.key < other.key ? -1 : 1));
    return Promise.all(
      inOrder.map(async (name) => {
        const addresses = await this.resolver.addressesOf(name);
        const answers = addresses.map((address) => askedOnce(asked, address, () => this.askOne(address, zone)));
        return { name: name.toString(), ...jointAnswer(await Promise.all(answers)) };
      }),
    );
  }

  private async askOne(address: string, zone: DomainName): Promise<Answer> {
    if (!this.allows(address)) return failed('it is at an address that this service may not ask');
    const now = (): number => toUnixSeconds(this.clock.now());
    const stream = new DnsStream({ address, port: PORT, key: null }, now, MAX_OCTETS);
    try {
      const ask = (type: number, timeLimit: number): Promise<Reply> =>
        stream.ask({ opcode: Opcode.QUERY, question: { name: zone, type, class: RecordClass.IN } }, timeLimit);
      const reply = await ask(Type.DS, ANSWER_TIMEOUT_MS);
      if (reply.message === null) return failed(reply.reason);
      // Asked afterwards: a server that closes the connection must not cost the DS.
      const { message } = await ask(NS.code, NS_TIMEOUT_MS);
      return { ...answerIn(reply.message, zone), ns: message && nameServersIn(message, zone) };
    } finally {
      stream.end();
    }
  }
}

/** Queries each address once, although many names may resolve to it. */
function askedOnce<T>(asked: Map<string, Promise<T>>, address: string, ask: () => Promise<T>): Promise<T> {
  const known = asked.get(address);
  if (known !== undefined) return known;
  const answer = ask();
  asked.set(address, answer);
  return answer;
}

/** Ignores unreachable addresses, such as IPv6 on an IPv4 host. */
function jointAnswer(answers: readonly Answer[]): Answer {
  const given = answers.filter(({ ds }) => ds !== null);
  const [first] = given;
  if (first === undefined) return answers[0] ?? failed('it has no address');
  const wanted = first.ds?.join('\n');
  if (given.some(({ ds }) => ds?.join('\n') !== wanted)) return failed('its addresses give different answers');
  const ttls = given.flatMap(({ ttl }) => (ttl === null ? [] : [ttl]));
  return { ...first, ttl: ttls.length === 0 ? null : Math.max(...ttls) };
}

/** NXDOMAIN means no delegation, so no DS. */
function answerIn(message: Message, zone: DomainName): Answer {
  const { rcode, isAuthoritative } = message.header;
  if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN) return failed(`it says ${rcodeName(rcode)}`);
  return isAuthoritative ? dsIn(message, zone) : failed('it is not authoritative');
}

function dsIn({ answers }: Message, zone: DomainName): Answer {
  const records = answers.filter(({ type, owner }) => type === Type.DS && owner.equals(zone));
  if (records.length > MAX_DS) return failed(`it has more than ${MAX_DS} DS`);
  try {
    const ds = records.map(({ rdata }) => DS.toText(rdata)).sort();
    return { ds, ttl: records.length === 0 ? null : Math.max(...records.map(({ ttl }) => ttl)), error: null };
  } catch (error) {
    if (error instanceof RdataError) return failed('it sends a malformed DS');
    throw error;
  }
}

/** A referral has them in the authority section. */
function nameServersIn({ answers, authorities }: Message, zone: DomainName): string[] | null {
  const records = [...answers, ...authorities].filter(({ type, owner }) => type === NS.code && owner.equals(zone));
  if (records.length > MAX_NS) return null;
  try {
    return records.map(({ rdata }) => NS.toText(rdata).toLowerCase()).sort();
  } catch (error) {
    if (error instanceof RdataError) return null;
    throw error;
  }
}

function failed(error: string): Answer {
  return { ds: null, ttl: null, error };
}
