import { quoted } from '../name.js';
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.js';
import type { Field } from './field.js';
import { wordsForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { recordType } from './record-type.js';

const FAMILIES = new Map([
  [1, { octets: 4, parse: parseIpv4, print: formatIpv4 }],
  [2, { octets: 16, parse: parseIpv6, print: formatIpv6 }],
]);

interface AddressPrefix {
  readonly family: number;
  readonly isNegated: boolean;
  readonly prefix: number;
  /** All octets. Wire form omits trailing zeros (RFC 3123 §4). */
  readonly address: Uint8Array;
}

const NEGATED = 0x80;
const ITEM = /^(!?)([0-9]{1,5}):([^/]+)\/(0|[1-9][0-9]{0,2})$/;

const addressPrefixes: Field<readonly AddressPrefix[]> = {
  form: 'family:address/prefix, after ! where it is negated, …',
  parse(tokens, label) {
    const items: AddressPrefix[] = [];
    while (!tokens.isAtEnd) items.push(parseItem(tokens.unquoted(label)));
    return items;
  },
  print: (value) => (value.length === 0 ? '\\# 0' : texts(value).join(' ')),
  read(wire) {
    const items: AddressPrefix[] = [];
    while (wire.remaining > 0) {
      const family = wire.uint16();
      const prefix = wire.uint8();
      const length = wire.uint8();
      const size = FAMILIES.get(family)?.octets ?? throwFamily(family);
      const octets = wire.octets(length % NEGATED);
      if (octets.length > size || octets.at(-1) === 0)
        throw new RdataError('an address has octets too many: leave out zeros at its end');
      const address = new Uint8Array(size);
      address.set(octets);
      items.push({ family, isNegated: length >= NEGATED, prefix, address });
    }
    return items;
  },
  write(value, out) {
    for (const { family, isNegated, prefix, address } of value) {
      const length = address.findLastIndex((octet) => octet !== 0) + 1;
      out.uint16(family).uint8(prefix);
      out.uint8(length + (isNegated ? NEGATED : 0)).octets(address.subarray(0, length));
    }
  },
  check(value) {
    for (const { prefix, address } of value) {
      if (prefix > 8 * address.length)
        throw new RdataError(`the prefix ${prefix} is longer than its address: shorten it`);
    }
  },
  json: { ...wordsForm('presentation', texts), optional: true },
};

function parseItem(text: string): AddressPrefix {
  const [, mark, number, written = '', prefix] = ITEM.exec(text) ?? [];
  if (number === undefined) throw new RdataError(`${quoted(text)} is malformed: write it like 1:192.0.2.0/24`);
  const family = Number(number);
  const address = (FAMILIES.get(family) ?? throwFamily(family)).parse(written);
  if (!address)
    throw new RdataError(
      `${quoted(written)} is not an address of family ${family}: write an IPv4 address for 1, an IPv6 address for 2`,
    );
  return { family, isNegated: mark === '!', prefix: Number(prefix), address };
}

function texts(items: readonly AddressPrefix[]): string[] {
  return items.map(({ family, isNegated, prefix, address }) => {
    const text = FAMILIES.get(family)?.print(address) ?? '';
    return `${isNegated ? '!' : ''}${family}:${text}/${prefix}`;
  });
}

function throwFamily(family: number): never {
  throw new RdataError(`the address family ${family} is unknown: use 1 (IPv4) or 2 (IPv6)`);
}

/** Lists of address ranges. An empty list is written `\# 0`, because data cannot be empty. */
export const APL = recordType({
  name: 'APL',
  code: 42,
  rfc: 'RFC 3123 §4',
  fields: { prefixes: addressPrefixes },
  example: { name: 'networks.example.org.', data: '1:192.0.2.0/24 !1:192.0.2.128/25 2:2001:db8::/32' },
});
