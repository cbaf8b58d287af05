import { Injectable } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { Type } from '../../dns/dnssec/codes.js';
import { RecordClass } from '../../dns/message/codes.js';
import type { Message } from '../../dns/message/message.js';
import { Opcode } from '../../dns/message/opcode.js';
import { Rcode, rcodeName } from '../../dns/message/rcode.js';
import { DomainName } from '../../dns/name.js';
import { keyAbove, wireOfKey } from '../../dns/name-key.js';
import { DS } from '../../dns/rdata/ds.js';
import { RdataError } from '../../dns/rdata/index.js';
import { DnsStream } from '../../publishing/pool/dns-stream.js';
import { AllowedPrimaries } from '../../zones/primaries/allowed-primaries.js';
import { DnssecOptions } from '../dnssec.options.js';
import type { ParentObservation, ResolverObservation, ServerObservation } from './parent-observation.js';
import { ParentQueryError } from './parent-query-error.js';
import { ValidatingResolver } from './validating-resolver.js';

const PORT = 53;
/** For the connection and the answer, in milliseconds. */
const PATIENCE = 5000;
/** What a server may send, in octets: one message. */
const MOST_OCTETS = 2 + 0xffff;
/** The root and the largest top-level domains have 13. */
const MOST_SERVERS = 20;
/** More DS than that are no answer of use. */
const MOST_DS = 24;

type Answer = Omit<ServerObservation, 'name'>;

/** Asks the name servers of parent zones, which are somebody else's, for the DS of zones. */
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

  /** Whether there is a resolver, by which they are found. */
  get isPossible(): boolean {
    return this.resolver.isPossible;
  }

  /** Whether an address may be asked that tenants have chosen. */
  allows(address: string): boolean {
    return this.allowed.allows(address);
  }

  async look(zone: DomainName): Promise<ParentObservation> {
    const resolver = await this.sightOfResolver(zone);
    try {
      const parent = await this.resolver.zoneOf(DomainName.read(wireOfKey(keyAbove(zone.key))));
      const servers = await this.askAll(zone, parent);
      return { zone: parent.toString(), isHosted: false, servers, resolver, problem: null };
    } catch (error) {
      if (!(error instanceof ParentQueryError) && !(error instanceof RdataError)) throw error;
      return { zone: null, isHosted: false, servers: [], resolver, problem: error.message };
    }
  }

  private async sightOfResolver(zone: DomainName): Promise<ResolverObservation> {
    const message = await this.resolver.ask(zone, Type.DS);
    if (message === null) return { verdict: 'silent', ds: null };
    const { rcode, isAuthenticData } = message.header;
    if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN) return { verdict: 'bogus', ds: null };
    return { verdict: isAuthenticData ? 'secure' : 'insecure', ds: dsIn(message, zone).ds };
  }

  private async askAll(zone: DomainName, parent: DomainName): Promise<ServerObservation[]> {
    const names = await this.resolver.nameServersOf(parent);
    if (names.length === 0) throw new ParentQueryError(`no name server of ${parent.toString()} is known`);
    if (names.length > MOST_SERVERS)
      throw new ParentQueryError(`${parent.toString()} has more than ${MOST_SERVERS} name servers`);
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
    const stream = new DnsStream({ address, port: PORT, key: null }, now, MOST_OCTETS);
    try {
      const question = { name: zone, type: Type.DS, class: RecordClass.IN };
      const reply = await stream.ask({ opcode: Opcode.QUERY, question }, PATIENCE);
      return reply.message === null ? failed(reply.reason) : answerIn(reply.message, zone);
    } finally {
      stream.end();
    }
  }
}

/** Names may lead to one address any number of times. */
function askedOnce<T>(asked: Map<string, Promise<T>>, address: string, ask: () => Promise<T>): Promise<T> {
  const known = asked.get(address);
  if (known !== undefined) return known;
  const answer = ask();
  asked.set(address, answer);
  return answer;
}

/** A server may be out of reach at some of its addresses, such as those of a family that this machine has not. */
function jointAnswer(answers: readonly Answer[]): Answer {
  const given = answers.filter(({ ds }) => ds !== null);
  const [first] = given;
  if (first === undefined) return answers[0] ?? failed('it has no address');
  const wanted = first.ds?.join('\n');
  if (given.some(({ ds }) => ds?.join('\n') !== wanted)) return failed('its addresses give different answers');
  const ttls = given.flatMap(({ ttl }) => (ttl === null ? [] : [ttl]));
  return { ...first, ttl: ttls.length === 0 ? null : Math.max(...ttls) };
}

/** A name that is not there is not delegated, and has no DS. */
function answerIn(message: Message, zone: DomainName): Answer {
  const { rcode, isAuthoritative } = message.header;
  if (rcode !== Rcode.NOERROR && rcode !== Rcode.NXDOMAIN) return failed(`it says ${rcodeName(rcode)}`);
  return isAuthoritative ? dsIn(message, zone) : failed('it is not authoritative');
}

function dsIn({ answers }: Message, zone: DomainName): Answer {
  const records = answers.filter(({ type, owner }) => type === Type.DS && owner.equals(zone));
  if (records.length > MOST_DS) return failed(`it has more than ${MOST_DS} DS`);
  try {
    const ds = records.map(({ rdata }) => DS.toText(rdata)).sort();
    return { ds, ttl: records.length === 0 ? null : Math.max(...records.map(({ ttl }) => ttl)), error: null };
  } catch (error) {
    if (error instanceof RdataError) return failed('it sends a malformed DS');
    throw error;
  }
}

function failed(error: string): Answer {
  return { ds: null, ttl: null, error };
}
