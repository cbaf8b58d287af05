import { isIP } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AddressLookup } from '../common/network/address-lookup.js';
import { isPublicElsewhere } from '../common/network/network.js';
import { type FieldError, ServiceError } from '../common/service-error.js';
import type { DomainName } from '../dns/name.js';
import { PublishingOptions } from '../publishing/publishing.options.js';
import { PrimaryAddresses } from '../publishing/secondary/primary-addresses.js';
import type { PrimaryAddress } from '../publishing/secondary/primary-client.js';
import { AllowedPrimaries, type Primary, parsePrimary } from '../zones/primaries/primaries.js';
import type { ServerFailure } from './failure.js';

const PORT = 53;
const MOST_SERVERS = 8;
/** One name may have an IPv4 and an IPv6 address. */
const MOST_ADDRESSES = 2;
const QUOTED = 253;

/** A name server of another provider at one address. */
export class AskedServer {
  failure: ServerFailure | null = null;

  /** @param endpoint `null` if it must not or cannot be contacted */
  constructor(
    readonly name: string,
    readonly endpoint: PrimaryAddress | null,
    /** `null` for an address that only an internal resolver may know. */
    readonly address: string | null,
  ) {}

  fail(failure: ServerFailure): void {
    this.failure ??= failure;
  }
}

/** Finds the name servers of a domain, and decides which of them tenants may have asked (behaviour 13.11, 15.10). */
@Injectable()
export class AskedServers {
  private readonly lookup: AddressLookup;
  private readonly allowed: AllowedPrimaries;
  private readonly allowsPorts: boolean;

  constructor(
    private readonly addresses: PrimaryAddresses,
    { masters, resolvers }: PublishingOptions,
  ) {
    this.lookup = new AddressLookup(resolvers);
    this.allowed = new AllowedPrimaries(masters);
    this.allowsPorts = masters.length > 0;
  }

  /** @param texts `null`: those that a resolver finds @throws ServiceError `invalid_object` */
  async find(zone: DomainName, texts: readonly string[] | null, stop: AbortSignal): Promise<AskedServer[]> {
    const primaries = texts === null ? await this.present(zone, stop) : this.read(texts);
    const found = await Promise.all(primaries.map((primary) => this.resolve(primary, stop)));
    return found.flat();
  }

  private async present(zone: DomainName, stop: AbortSignal): Promise<Primary[]> {
    const names = await this.lookup.nameServersOf(zone.toString().replace(/\.$/, ''), stop);
    if (names.length > 0)
      return [...names]
        .sort()
        .slice(0, MOST_SERVERS)
        .map((host) => ({ host, port: PORT }));
    const message = `name_servers: no name servers of ${zone.toString()} were found; name them.`;
    throw ServiceError.ofField('invalid_object', 'name_servers', 'required', message);
  }

  private read(texts: readonly string[]): Primary[] {
    if (texts.length === 0 || texts.length > MOST_SERVERS)
      throw ServiceError.ofField(
        'invalid_object',
        'name_servers',
        'type',
        `name_servers: name 1 to ${MOST_SERVERS} name servers, or leave it out.`,
      );
    const primaries = texts.map(parsePrimary);
    const faults = texts.flatMap((text, at) => this.faultOf(text, at, primaries[at] ?? null) ?? []);
    if (faults.length > 0) throw ServiceError.ofFields('invalid_object', faults);
    const byLabel = new Map(primaries.flatMap((one) => (one === null ? [] : [[labelOf(one), one] as const])));
    return [...byLabel.values()];
  }

  private faultOf(text: string, at: number, primary: Primary | null): FieldError | null {
    const fault = (message: string): FieldError => ({
      path: `name_servers[${at}]`,
      validator: 'format',
      message: `name_servers: ${JSON.stringify(text.slice(0, QUOTED))} ${message}.`,
    });
    if (primary === null) return fault('is not a name server; write ns1.example.net or 192.0.2.53');
    if (primary.port !== PORT && !this.allowsPorts)
      return fault(`has another port than ${PORT}; leave it out, or ask the operator to set allow_masters`);
    if (isIP(primary.host) === 0 || this.allowed.allows(primary.host)) return null;
    return fault('has a forbidden address; the operator can allow it with allow_masters');
  }

  private async resolve(primary: Primary, stop: AbortSignal): Promise<AskedServer[]> {
    const name = labelOf(primary);
    const endpoints = await this.addresses.of(primary, stop);
    if (endpoints.length === 0)
      return [failedServer(name, { reason: 'no_address', message: `${primary.host}: no address found` })];
    // IPv4 first, because many hosts have no IPv6.
    return endpoints.slice(0, MOST_ADDRESSES).map((endpoint) => {
      const { address } = endpoint;
      if (this.allowed.allows(address)) {
        const isKnown = address === primary.host || isPublicElsewhere(address);
        return new AskedServer(name, { ...endpoint, label: name }, isKnown ? address : null);
      }
      const message = `${name} has an address that this service must not contact`;
      return failedServer(name, { reason: 'forbidden_address', message });
    });
  }
}

function failedServer(name: string, failure: ServerFailure): AskedServer {
  const server = new AskedServer(name, null, null);
  server.fail(failure);
  return server;
}

function labelOf({ host, port }: Primary): string {
  const name = isIP(host) === 6 ? `[${host}]` : host.toLowerCase().replace(/\.$/, '');
  return `${name}:${port}`;
}
