import { isIP, isIPv6, SocketAddress } from 'node:net';
import { Injectable } from '@nestjs/common';
import { AddressLookup } from '../../common/network/address-lookup.js';
import type { Primary } from '../../zones/primaries/primaries.js';
import { PublishingOptions } from '../publishing.options.js';
import type { PrimaryAddress } from './primary-client.js';
import type { PrimaryTls } from './primary-tls.js';
import { NetworkList } from '../../common/network/network.js';

const MOST_ADDRESSES = 8;
/** Cache time in milliseconds, and limit of names. */
const LATELY = 30_000;
const MOST_NAMES = 10_000;

interface Found {
  readonly addresses: Promise<string[]>;
  readonly until: number;
}

@Injectable()
export class PrimaryAddresses {
  private readonly names: AddressLookup;
  private readonly overTls: readonly (readonly [from: NetworkList, tls: PrimaryTls])[];
  private readonly found = new Map<string, Found>();

  constructor({ resolvers, tlsPrimaries, tlsPrimariesCa: ca }: PublishingOptions) {
    this.names = new AddressLookup(resolvers);
    this.overTls = tlsPrimaries.map(({ network, name, pin }) => [new NetworkList([network]), { name, pin, ca }]);
  }

  /** Returns no address for an unknown name. */
  async of(primary: Primary, stop: AbortSignal): Promise<PrimaryAddress[]> {
    const { host } = primary;
    return this.endpointsOf(primary, isIP(host) > 0 ? [canonical(host)] : await this.names.addressesOf(host, stop));
  }

  /** Returns addresses that are at most 30 seconds old, for unauthenticated callers. */
  async lately(primary: Primary, stop: AbortSignal): Promise<PrimaryAddress[]> {
    const { host } = primary;
    if (isIP(host) > 0) return this.of(primary, stop);
    const known = this.found.get(host);
    if (known !== undefined && performance.now() < known.until) return this.endpointsOf(primary, await known.addresses);
    const addresses = this.names.addressesOf(host, stop);
    this.remember(host, { addresses, until: performance.now() + LATELY });
    return this.endpointsOf(primary, await addresses);
  }

  private remember(host: string, found: Found): void {
    this.found.delete(host);
    this.found.set(host, found);
    for (const first of this.found.keys()) {
      if (this.found.size <= MOST_NAMES) break;
      this.found.delete(first);
    }
  }

  private endpointsOf({ host, port }: Primary, addresses: readonly string[]): PrimaryAddress[] {
    const label = `${isIPv6(host) ? `[${host}]` : host}:${port}`;
    return addresses.slice(0, MOST_ADDRESSES).map((address) => {
      const tls = this.overTls.find(([from]) => from.has(address))?.[1];
      return { address, port, label, ...(tls && { tls }) };
    });
  }
}

/** Formats an address as sockets do. */
function canonical(address: string): string {
  return new SocketAddress({ address, family: isIPv6(address) ? 'ipv6' : 'ipv4' }).address;
}
