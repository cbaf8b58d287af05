import { BlockList, isIP, isIPv6 } from 'node:net';

const NETWORK = /^([^/%\s]+)(?:\/(0|[1-9]\d{0,2}))?$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

interface Network {
  readonly address: string;
  readonly bits: number;
}

/** Whether a text is an address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  return read(text) !== null;
}

/** @param address as a socket has it; one without meaning lies in no network */
export function isAddressWithin(address: string, networks: readonly string[]): boolean {
  const own = ownForm(address);
  if (isIP(own) === 0) return false;
  const family = familyOf(own);
  const list = new BlockList();
  // Node takes an IPv4 address for one of the IPv6 network that all of them are mapped into.
  for (const { address: first, bits } of networks.map(read).filter((network) => network !== null))
    if (familyOf(first) === family) list.addSubnet(first, bits, family);
  return list.check(own, family);
}

/** Whether every address of one network is one of the other's. */
export function isNetworkWithin(narrower: string, wider: string): boolean {
  const one = read(narrower);
  const other = read(wider);
  if (one === null || other === null || isIPv6(one.address) !== isIPv6(other.address)) return false;
  return one.bits >= other.bits && isAddressWithin(one.address, [wider]);
}

/** `null` for what is no network. IPv4 addresses are written in their own form. */
function read(text: string): Network | null {
  const [, address = '', bits] = NETWORK.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0 || MAPPED.test(address)) return null;
  const longest = family === 4 ? 32 : 128;
  const length = Number(bits ?? longest);
  return length <= longest ? { address, bits: length } : null;
}

/** A socket for both families shows IPv4 addresses inside of IPv6 ones, and IPv6 ones with a zone id. */
function ownForm(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address.replace(/%.*$/, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}
