import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { RecordClass } from '../../dns/message/codes.js';
import type { Message } from '../../dns/message/message.js';
import { Opcode } from '../../dns/message/opcode.js';
import { Rcode, rcodeName } from '../../dns/message/rcode.js';
import type { ResourceRecord } from '../../dns/message/resource-record.js';
import type { DomainName } from '../../dns/name.js';
import { A } from '../../dns/rdata/a.js';
import { AAAA } from '../../dns/rdata/aaaa.js';
import { NS } from '../../dns/rdata/ns.js';
import { SOA } from '../../dns/rdata/soa.js';
import { DnsStream } from '../../publishing/pool/dns-stream.js';
import { DnssecOptions } from '../dnssec.options.js';
import { ParentQueryError } from './parent-query-error.js';

/** For an answer, in milliseconds: it asks others for it. */
const PATIENCE = 5000;
/** Of one name server; it may have any number. */
const MOST_ADDRESSES = 4;

/** The resolver of the configuration, which validates what others say. It is asked over one connection. */
@Injectable()
export class ValidatingResolver implements OnModuleDestroy {
  private readonly stream: DnsStream | null;

  constructor({ resolver }: DnssecOptions, clock: Clock) {
    this.stream =
      resolver === null
        ? null
        : new DnsStream({ address: resolver.host, port: resolver.port, key: null }, () => toUnixSeconds(clock.now()));
  }

  /** Whether there is one. */
  get isPossible(): boolean {
    return this.stream !== null;
  }

  onModuleDestroy(): void {
    this.stream?.end();
  }

  /**
   * The zone that a name belongs to.
   * @throws ParentQueryError
   */
  async zoneOf(name: DomainName): Promise<DomainName> {
    const { answers, authorities } = await this.answer(name, SOA.code);
    const own = answers.find(({ type, owner }) => type === SOA.code && owner.equals(name));
    const above = authorities.find(({ type, owner }) => type === SOA.code && name.isWithin(owner));
    const zone = own ?? above;
    if (zone === undefined) throw new ParentQueryError(`the resolver does not know the zone of ${name.toString()}`);
    return zone.owner;
  }

  /** @throws ParentQueryError */
  async nameServersOf(zone: DomainName): Promise<DomainName[]> {
    return (await this.records(zone, NS.code)).map(({ rdata }) => NS.values(rdata).nameServer);
  }

  /** None for a name that is not known. */
  async addressesOf(host: DomainName): Promise<string[]> {
    const [of4, of6] = await Promise.allSettled([this.records(host, A.code), this.records(host, AAAA.code)]);
    const found = [
      ...(of4.status === 'fulfilled' ? of4.value.map(({ rdata }) => A.toText(rdata)) : []),
      ...(of6.status === 'fulfilled' ? of6.value.map(({ rdata }) => AAAA.toText(rdata)) : []),
    ];
    return found.slice(0, MOST_ADDRESSES);
  }

  /**
   * The records of a name and type; none where there are none.
   * @throws ParentQueryError
   */
  async records(name: DomainName, type: number): Promise<ResourceRecord[]> {
    const { answers } = await this.answer(name, type);
    return answers.filter((record) => record.type === type && record.owner.equals(name));
  }

  /** The answer of any kind; `null` where there is none. RD asks for recursion, AD whether it was validated (RFC 6840 §5.7). */
  async ask(name: DomainName, type: number): Promise<Message | null> {
    const question = { name, type, class: RecordClass.IN };
    const flags = { isRecursionDesired: true, isAuthenticData: true };
    const reply = await this.stream?.ask({ opcode: Opcode.QUERY, question, flags }, PATIENCE);
    return reply?.message ?? null;
  }

  private async answer(name: DomainName, type: number): Promise<Message> {
    const message = await this.ask(name, type);
    if (message === null) throw new ParentQueryError('the resolver does not answer');
    const { rcode } = message.header;
    if (rcode === Rcode.NOERROR || rcode === Rcode.NXDOMAIN) return message;
    throw new ParentQueryError(`the resolver says ${rcodeName(rcode)} to a question about ${name.toString()}`);
  }
}
