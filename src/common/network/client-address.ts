import { isIPv6 } from 'node:net';

/** Of an IPv6 address, which has eight. */
const GROUPS_OF_NETWORK = 4;

/** Whom an address stands for: a network of 64 bits is one client, since whoever has an IPv6 address has such a network. */
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
