import { BlockList, isIP, isIPv6 } from 'node:net';
import { networkInterfaces } from 'node:os';
import ipaddr from 'ipaddr.js';

const NETWORK = /^([^/%\s]+)(?:\/(0|[1-9]\d{0,2}))?$/;
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/** Accepts an address, or a network in CIDR notation. */
export function isNetwork(text: string): boolean {
  return read(text) !== null;
}

/** @param address as a socket reports it; an invalid address is in no network */
export function isAddressWithin(address: string, networks: readonly string[]): boolean {
  const own = ownForm(address);
  if (isIP(own) === 0) return false;
  const family = familyOf(own);
  const list = new BlockList();
  // Node.js would match an IPv4 address with the IPv6 network of IPv4-mapped addresses.
  for (const { address: first, bits } of networks.map(read).filter((network) => network !== null))
    if (familyOf(first) === family) list.addSubnet(first, bits, family);
  return list.check(own, family);
}

export function isNetworkWithin(narrower: string, wider: string): boolean {
  const one = read(narrower);
  const other = read(wider);
  if (one === null || other === null || isIPv6(one.address) !== isIPv6(other.address)) return false;
  return one.bits >= other.bits && isAddressWithin(one.address, [wider]);
}

function read(text: string): { readonly address: string; readonly bits: number } | null {
  const [, address = '', bits] = NETWORK.exec(text) ?? [];
  const family = isIP(address);
  if (family === 0 || MAPPED.test(address)) return null;
  const longest = family === 4 ? 32 : 128;
  const length = Number(bits ?? longest);
  return length <= longest ? { address, bits: length } : null;
}

/** Dual-stack sockets report IPv4-mapped addresses, and IPv6 addresses with a zone id. */
function ownForm(address: string): string {
  return MAPPED.exec(address)?.[1] ?? address.replace(/%.*$/, '');
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv6(address) ? 'ipv6' : 'ipv4';
}

export class NetworkList {
  private readonly list = new BlockList();

  constructor(networks: readonly string[] = []) {
    for (const network of networks) this.add(network);
  }

  add(network: string): void {
    const [address = '', bits] = network.split('/');
    if (bits === undefined) this.list.addAddress(address, familyOf(address));
    else this.list.addSubnet(address, Number(bits), familyOf(address));
  }

  /** @param address without zone id; IPv4 addresses also in IPv4-mapped form */
  has(address: string): boolean {
    return this.list.check(address, familyOf(address));
  }
}

/** Tenants choose webhook targets and primaries, but the service connects from its network (behaviour 13.11, 19.11). */
export function isPublicElsewhere(address: string): boolean {
  return isIP(address) > 0 && isPublic(address) && !isOwn(address);
}

/** RFC 4291 §2.4: the three bits of all assigned global unicast addresses. */
const GLOBAL_UNICAST = ipaddr.IPv6.parse('2000::');

/** Excludes special-purpose addresses (IANA) and embedded IPv4 addresses: mapped, 6to4, Teredo, NAT64. */
function isPublic(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed instanceof ipaddr.IPv4 || parsed.match(GLOBAL_UNICAST, 3);
}

function isOwn(address: string): boolean {
  const own = Object.values(networkInterfaces()).flatMap((addresses = []) => addresses);
  const wanted = ipaddr.parse(address).toNormalizedString();
  return own.some((one) => ipaddr.isValid(one.address) && ipaddr.parse(one.address).toNormalizedString() === wanted);
}

const GROUPS_OF_NETWORK = 4;

/** An IPv6 client owns a /64 network. */
export function clientOfAddress(address: string): string {
  if (!isIPv6(address) || address.includes('.')) return address;
  const [head = '', tail] = address.replace(/%.*$/, '').split('::');
  const before = groupsOf(head);
  const after = groupsOf(tail ?? '');
  const between = tail === undefined ? [] : Array<string>(8 - before.length - after.length).fill('0');
  return `${[...before, ...between, ...after].slice(0, GROUPS_OF_NETWORK).join(':')}::/64`;
}

function groupsOf(text: string): string[] {
  return text === '' ? [] : text.split(':').map((group) => group.toLowerCase().replace(/^0+(?=.)/, ''));
}
