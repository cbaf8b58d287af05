import { BlockList, isIPv6 } from 'node:net';

/** IP addresses and networks. */
export class NetworkList {
  private readonly list = new BlockList();

  /** @param networks addresses, or networks in CIDR notation */
  constructor(networks: readonly string[] = []) {
    for (const network of networks) this.add(network);
  }

  /** @param network an address, or a network in CIDR notation */
  add(network: string): void {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) this.list.addAddress(address, familyOf(address));
    else this.list.addSubnet(address, Number(bits), familyOf(address));
  }

  /** @param address without zone id; an IPv4 address in its own form, or as IPv6 has it */
  has(address: string): boolean {
    return this.list.check(address, familyOf(address));
  }
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
