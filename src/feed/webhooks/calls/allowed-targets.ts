import { isIP, type LookupFunction } from 'node:net';
import { Injectable } from '@nestjs/common';
import { isAddressWithin, isPublicElsewhere } from '../../../common/network/network.js';
import { ServiceError } from '../../../common/service-error.js';
import { WebhooksOptions } from '../webhooks.options.js';
import { AddressLookup } from '../../../common/network/address-lookup.js';

/** In characters. */
const LONGEST_URL = 2048;
const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'https:': 443, 'http:': 80 };

/** Refuses non-public addresses unless the operator allows them, because tenants choose targets (behaviour 19.11). */
@Injectable()
export class AllowedTargets {
  constructor(private readonly options: WebhooksOptions) {}

  /** Returns the URL in WHATWG form. The address of a name is checked at each call. */
  read(text: string): string {
    const url = text.length <= LONGEST_URL && URL.canParse(text) ? new URL(text) : null;
    if (url === null) throw refusal(`not a URL of at most ${LONGEST_URL} characters`);
    const { allowHttp, allowedPorts } = this.options.limits;
    if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
      throw refusal(allowHttp ? 'use https:// or http://' : 'use https://');
    if (url.username !== '' || url.password !== '') throw refusal('remove user and password');
    if (url.hash !== '') throw refusal('remove the fragment after #');
    const port = portOf(url);
    if (allowedPorts.length > 0 && !allowedPorts.includes(port))
      throw refusal(`port ${port} is not allowed; use one of ${allowedPorts.join(', ')}`);
    const host = hostOf(url);
    if (isIP(host) > 0 && !this.allows(host))
      throw refusal(`${host} is not an allowed address; the operator can allow it`);
    return url.href.length <= LONGEST_URL ? url.href : this.read(url.href);
  }

  /** @param address the IP address of the connection */
  allows(address: string): boolean {
    return isAddressWithin(address, this.options.limits.allowedTargets) || isPublicElsewhere(address);
  }
}

/** Without the brackets of an IPv6 address. */
export function hostOf({ hostname }: URL): string {
  return hostname.replace(/^\[|\]$/g, '');
}

export function portOf({ port, protocol }: URL): number {
  return port === '' ? (DEFAULT_PORTS[protocol] ?? 0) : Number(port);
}

function refusal(reason: string): ServiceError {
  return ServiceError.ofField('invalid_object', 'url', 'format', `url: ${reason}.`);
}

export class TargetFault extends Error {
  constructor(
    readonly kind: 'blocked' | 'timeout' | 'failed',
    message: string,
  ) {
    super(message);
    this.name = 'TargetFault';
  }
}

@Injectable()
export class TargetAddresses {
  private readonly names: AddressLookup;

  constructor(
    private readonly targets: AllowedTargets,
    { limits }: WebhooksOptions,
  ) {
    this.names = new AddressLookup(limits.nameServers);
  }

  /** Returns a lookup function for connections, which returns allowed addresses only. */
  lookup(signal: AbortSignal): LookupFunction {
    return (host, { all }, callback) => {
      this.of(host, signal).then(
        (addresses) => {
          const [first] = addresses;
          if (all === true) callback(null, addresses);
          else callback(null, first?.address ?? '', first?.family);
        },
        (error: unknown) => callback(error instanceof Error ? error : new Error(String(error)), []),
      );
    };
  }

  /** @throws TargetFault if none may be called */
  assertAllowed(addresses: readonly string[], host: string): string[] {
    const allowed = addresses.filter((address) => this.targets.allows(address));
    if (allowed.length > 0) return allowed;
    throw new TargetFault('blocked', `${host}: its address is not allowed`);
  }

  private async of(host: string, signal: AbortSignal): Promise<{ address: string; family: number }[]> {
    const addresses = await this.names.addressesOf(host, signal);
    if (addresses.length === 0) throw new TargetFault('failed', `${host}: no address found`);
    return this.assertAllowed(addresses, host).map((address) => ({ address, family: isIP(address) }));
  }
}
