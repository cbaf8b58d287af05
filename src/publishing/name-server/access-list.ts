import { BlockList, isIPv6 } from 'node:net';
import { DomainName } from '../../dns/name.js';
import type { TransferAccess } from '../publishing.options.js';

/** Who may ask for zones: by address alone, or by address and key. */
export class AccessList {
  /** By the key of the name of the key that must have signed; `null`: none need have. */
  private readonly networks = new Map<string | null, BlockList>();

  constructor(entries: readonly TransferAccess[]) {
    for (const { network, key } of entries) addNetwork(this.networksOf(key), network);
  }

  /**
   * @param address without zone id, an IPv4 address in its own form
   * @param key the name of the key that has signed the request
   */
  allows(address: string, key: DomainName | null): boolean {
    return this.has(null, address) || (key !== null && this.has(key.key, address));
  }

  private has(key: string | null, address: string): boolean {
    return this.networks.get(key)?.check(address, familyOf(address)) ?? false;
  }

  private networksOf(key: string | null): BlockList {
    const name = key === null ? null : DomainName.parse(key).key;
    const networks = this.networks.get(name) ?? new BlockList();
    this.networks.set(name, networks);
    return networks;
  }
}

/** @param network an address, or a network in CIDR notation */
function addNetwork(networks: BlockList, network: string): void {
  const [address = '', bits] = network.split('/');
  if (bits === undefined) networks.addAddress(address, familyOf(address));
  else networks.addSubnet(address, Number(bits), familyOf(address));
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
