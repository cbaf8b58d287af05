import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { Clock, toUnixSeconds } from '../../common/clock.js';
import { RecordClass, Opcode, Rcode, rcodeName } from '../../dns/message/codes.js';
import type { Message, ResourceRecord } from '../../dns/message/message.js';
import type { DomainName } from '../../dns/name.js';
import { A, AAAA } from '../../dns/rdata/address-types.js';
import { NS } from '../../dns/rdata/name-types.js';
import { SOA } from '../../dns/rdata/soa.js';
import { DnsStream } from '../../publishing/pool/dns-stream.js';
import { DnssecOptions } from '../dnssec.options.js';

/** Includes the upstream queries of the resolver. */
const ANSWER_TIMEOUT_MS = 5000;
const MAX_ADDRESSES = 4;

/** Queries the configured validating resolver over one TCP connection. */
@Injectable()
export class ValidatingResolver implements OnModuleDestroy {
  private readonly stream: DnsStream | null;

  constructor({ resolver }: DnssecOptions, clock: Clock) {
    this.stream =
      resolver === null
        ? null
        : new DnsStream({ address: resolver.host, port: resolver.port, key: null }, () => toUnixSeconds(clock.now()));
  }

  get isConfigured(): boolean {
    return this.stream !== null;
  }

  onModuleDestroy(): void {
    this.stream?.end();
  }

  /** Returns the zone that contains the name. */
  async zoneOf(name: DomainName): Promise<DomainName> {
    const { answers, authorities } = await this.answer(name, SOA.code);
    const own = answers.find(({ type, owner }) => type === SOA.code && owner.equals(name));
    const above = authorities.find(({ type, owner }) => type === SOA.code && name.isWithin(owner));
    const zone = own ?? above;
    if (zone === undefined) throw new ParentQueryError(`the resolver does not know the zone of ${name.toString()}`);
    return zone.owner;
  }

  async nameServersOf(zone: DomainName): Promise<DomainName[]> {
    return (await this.records(zone, NS.code)).map(({ rdata }) => NS.values(rdata).nameServer);
  }

  /** Empty for an unknown name. */
  async addressesOf(host: DomainName): Promise<string[]> {
    const [of4, of6] = await Promise.allSettled([this.records(host, A.code), this.records(host, AAAA.code)]);
    const found = [
      ...(of4.status === 'fulfilled' ? of4.value.map(({ rdata }) => A.toText(rdata)) : []),
      ...(of6.status === 'fulfilled' ? of6.value.map(({ rdata }) => AAAA.toText(rdata)) : []),
    ];
    return found.slice(0, MAX_ADDRESSES);
  }

  /** Returns a record set, which may be empty. Throws ParentQueryError. */
  async records(name: DomainName, type: number): Promise<ResourceRecord[]> {
    const { answers } = await this.answer(name, type);
    return answers.filter((record) => record.type === type && record.owner.equals(name));
  }

  /** The response with any RCODE; `null` after a timeout. AD asks for the validation result (RFC 6840 §5.7). */
  async ask(name: DomainName, type: number): Promise<Message | null> {
    const question = { name, type, class: RecordClass.IN };
    const flags = { isRecursionDesired: true, isAuthenticData: true };
    const reply = await this.stream?.ask({ opcode: Opcode.QUERY, question, flags }, ANSWER_TIMEOUT_MS);
    return reply?.message ?? null;
  }

  private async answer(name: DomainName, type: number): Promise<Message> {
    const message = await this.ask(name, type);
    if (message === null) throw new ParentQueryError('the resolver does not answer');
    const { rcode } = message.header;
    if (rcode === Rcode.NOERROR || rcode === Rcode.NXDOMAIN) return message;
    throw new ParentQueryError(`the resolver answers ${rcodeName(rcode)} for ${name.toString()}`);
  }
}

/** The parent zone cannot be observed. The message is for the zone owner. */
export class ParentQueryError extends Error {
  override readonly name = 'ParentQueryError';
}
