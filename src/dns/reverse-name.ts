import { DomainName } from './name.js';

const IPV4_OCTETS = 4;
/** Labels of an address below `in-addr.arpa.` and `ip6.arpa.` */
const LABELS = { '.in-addr.arpa.': 4, '.ip6.arpa.': 32 };

/**
 * The owner name of the PTR records of an address (RFC 1035 §3.5, RFC 3596 §2.5).
 * @param rdata of the A or AAAA record
 */
export function reverseName(rdata: Uint8Array): DomainName {
  const isIpv4 = rdata.length === IPV4_OCTETS;
  const labels = isIpv4 ? [...rdata].map(String) : [...Buffer.from(rdata).toString('hex')];
  return DomainName.parse(labels.reverse().join('.') + (isIpv4 ? '.in-addr.arpa.' : '.ip6.arpa.'));
}

/** The address of an owner name of PTR records, as RDATA; `null` if the name has another form. */
export function addressOfReverse(name: DomainName): Uint8Array | null {
  const text = name.toString().toLowerCase();
  for (const [suffix, count] of Object.entries(LABELS)) {
    if (!text.endsWith(suffix)) continue;
    const labels = text.slice(0, -suffix.length).split('.').reverse();
    if (labels.length !== count) return null;
    const rdata = count === IPV4_OCTETS ? Uint8Array.from(labels, Number) : Buffer.from(labels.join(''), 'hex');
    return rdata.length > 0 && reverseName(rdata).equals(name.canonical) ? rdata : null;
  }
  return null;
}

const SHORTEST_PREFIX = 25;
const RANGE = /^(\d{1,3})([/-])(\d{1,3})$/;

/**
 * Whether a label stands for a part of an IPv4 network of 256 addresses that has this last octet (RFC 2317 §4): `0/25`,
 * `0-25` or `0-127`.
 */
export function isRangeOf(label: string, octet: number): boolean {
  const [, from = '', mark, to = ''] = RANGE.exec(label) ?? [];
  if (mark === undefined) return false;
  const [start, second] = [Number(from), Number(to)];
  const size = 2 ** (32 - second);
  const isPrefix = second >= SHORTEST_PREFIX && second <= 32 && start % size === 0;
  const end = isPrefix ? start + size - 1 : mark === '-' ? second : -1;
  return octet >= start && octet <= end && end <= 255;
}
