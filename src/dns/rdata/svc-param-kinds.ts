import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.js';
import { latin1 } from './character-string.js';
import { decodeBase64, encodeBase64 } from './encodings.js';
import { isDohPath } from './uri-template.js';

/** How the value of one key is read, written and checked. Its text has one character for each octet and no escapes. */
export interface SvcParamKind {
  readonly key: number;
  readonly name: string;
  /** What the value must be, for messages. */
  readonly form: string;
  /** RFC 9460 §7.2, §7.3, §8: its text may not have escapes. */
  readonly isWithoutEscapes?: true;
  /** Undefined where the text is out of form. */
  parse(text: string): Uint8Array | undefined;
  print(value: Uint8Array): string;
  isValid(value: Uint8Array): boolean;
  /** Whether every name server reads what `print` makes of the value; absent: of all values. */
  isReadEverywhere?(value: Uint8Array): boolean;
}

export const MANDATORY = 0;
export const ALPN = 1;
export const NO_DEFAULT_ALPN = 2;

/** RFC 9460 §14.3.2: the last key that every name server knows by its name. */
const LAST_COMMON_KEY = 6;
/** RFC 9460 §14.3.1. */
export const INVALID_KEY = 0xffff;

/** The key of a name like alpn or key667 (RFC 9460 §2.1); undefined for any other text. */
export function svcParamKey(name: string): number | undefined {
  const digits = /^key(0|[1-9][0-9]{0,4})$/.exec(name)?.[1];
  if (digits === undefined) return KINDS.find((kind) => kind.name === name)?.key;
  return Number(digits) <= INVALID_KEY ? Number(digits) : undefined;
}

/** The name that every name server reads: key and its number for the newer keys. */
export function svcParamName(key: number): string {
  return (key <= LAST_COMMON_KEY ? svcParamKind(key)?.name : undefined) ?? `key${key}`;
}

/** The names that stand for a key everywhere, and what their values are. */
export function svcParamNames(): readonly Pick<SvcParamKind, 'name' | 'form'>[] {
  return KINDS.map(({ key, form }) => ({ name: svcParamName(key), form }));
}

/** Undefined for a key of which nothing but the number is known. */
export function svcParamKind(key: number): SvcParamKind | undefined {
  return KINDS.find((kind) => kind.key === key);
}

/** The keys that the value of `mandatory` lists (RFC 9460 §8). */
export function mandatoryKeys(value: Uint8Array): number[] {
  return chunks(value, 2).map(([high = 0, low = 0]) => (high << 8) | low);
}

const asOctets = {
  parse: (text: string) => Buffer.from(text, 'latin1'),
  print: latin1,
};

const KINDS: readonly SvcParamKind[] = [
  {
    key: MANDATORY,
    name: 'mandatory',
    isWithoutEscapes: true,
    form: 'a list of other keys, each once',
    parse: parseKeys,
    print: (value) => mandatoryKeys(value).map(svcParamName).join(','),
    isValid: (value) => value.length > 0 && value.length % 2 === 0 && isAscending([MANDATORY, ...mandatoryKeys(value)]),
  },
  {
    key: ALPN,
    name: 'alpn',
    form: 'a list of protocol identifiers like h2, of 1 to 255 octets each',
    parse: parseIdentifiers,
    print: (value) => printIdentifiers(value),
    // RFC 7301 §3.1: any octets.
    isValid: (value) => value.length > 0 && splitIdentifiers(value).every((id) => id.length > 0),
    // Knot, NSD and ldns refuse the text of other identifiers, or read it as different ones.
    isReadEverywhere: (value) =>
      splitIdentifiers(value).every((id) => /^(?![\\,])[!#-~]{2,255}(?<![\\,])$/.test(latin1(id))),
  },
  {
    ...asOctets,
    key: NO_DEFAULT_ALPN,
    name: 'no-default-alpn',
    form: 'without a value',
    isValid: isEmpty,
  },
  {
    key: 3,
    name: 'port',
    isWithoutEscapes: true,
    form: 'a number from 0 to 65535',
    parse: (text) =>
      /^(0|[1-9][0-9]{0,4})$/.test(text) && Number(text) <= 0xffff ? uint16s([Number(text)]) : undefined,
    print: (value) => mandatoryKeys(value).join(),
    isValid: (value) => value.length === 2,
  },
  {
    ...addresses(4, parseIpv4, formatIpv4),
    key: 4,
    name: 'ipv4hint',
    isWithoutEscapes: true,
    form: 'a list of IPv4 addresses',
  },
  {
    key: 5,
    name: 'ech',
    isWithoutEscapes: true,
    form: 'an ECH configuration list in base64',
    parse: decodeBase64,
    print: encodeBase64,
    isValid: (value) => value.length > 0,
  },
  {
    ...addresses(16, parseIpv6, formatIpv6),
    key: 6,
    name: 'ipv6hint',
    isWithoutEscapes: true,
    form: 'a list of IPv6 addresses',
  },
  {
    ...asOctets,
    key: 7,
    name: 'dohpath',
    // RFC 9461 §5: BIND refuses a zone with any other.
    form: 'a URI template (RFC 6570) that begins with "/" and has the variable dns, like /dns-query{?dns}',
    isValid: isDohPath,
  },
  {
    ...asOctets,
    key: 8,
    name: 'ohttp',
    // RFC 9540 §4.
    form: 'without a value',
    isValid: isEmpty,
  },
  {
    key: 9,
    name: 'tls-supported-groups',
    // draft-ietf-tls-key-share-prediction §3.1.
    form: 'a list of TLS group numbers, each once',
    isWithoutEscapes: true,
    parse: parseGroups,
    print: (value) => mandatoryKeys(value).join(','),
    isValid: (value) =>
      value.length > 0 && value.length % 2 === 0 && new Set(mandatoryKeys(value)).size === value.length / 2,
  },
  {
    key: 10,
    name: 'docpath',
    // RFC 9953 §8.1: the segments of a path for DNS over CoAP, each with its length; none for the root.
    form: 'a list of path segments, of 1 to 255 octets each',
    parse: parseIdentifiers,
    print: (value) => printIdentifiers(value),
    isValid: (value) => splitIdentifiers(value).every((segment) => segment.length > 0),
  },
];

function parseKeys(text: string): Uint8Array | undefined {
  const keys = text.split(',').map(svcParamKey);
  return keys.every((key) => key !== undefined) ? uint16s(keys.sort((a, b) => a - b)) : undefined;
}

/** Reads a list in which a comma or backslash of an identifier has a backslash before it (RFC 9460 §A.1); name servers take one before any octet. */
function parseIdentifiers(text: string): Uint8Array | undefined {
  const ids = [''];
  for (const character of text.match(/\\?[^]/g) ?? []) {
    if (character === ',') ids.push('');
    else if (character === '\\') return undefined;
    else ids.push(`${ids.pop() ?? ''}${character.slice(-1)}`);
  }
  if (!ids.every((id) => id.length > 0 && id.length <= 255)) return undefined;
  return Buffer.from(ids.map((id) => `${String.fromCharCode(id.length)}${id}`).join(''), 'latin1');
}

function printIdentifiers(value: Uint8Array): string {
  return splitIdentifiers(value)
    .map((id) => latin1(id).replace(/[\\,]/g, '\\$&'))
    .join(',');
}

function parseGroups(text: string): Uint8Array | undefined {
  const numbers = text.split(',');
  const isGood = numbers.every((number) => /^(0|[1-9][0-9]{0,4})$/.test(number) && Number(number) <= 0xffff);
  return isGood ? uint16s(numbers.map(Number)) : undefined;
}

/** Splits the octets into identifiers; one that is cut off comes out empty. */
function splitIdentifiers(value: Uint8Array): Uint8Array[] {
  const ids: Uint8Array[] = [];
  for (let at = 0; at < value.length;) {
    const end = at + 1 + (value[at] ?? 0);
    ids.push(end <= value.length ? value.subarray(at + 1, end) : new Uint8Array());
    at = end;
  }
  return ids;
}

function addresses(
  size: number,
  parse: (text: string) => Uint8Array | undefined,
  print: (octets: Uint8Array) => string,
): Pick<SvcParamKind, 'parse' | 'print' | 'isValid'> {
  return {
    parse(text) {
      const parsed = text.split(',').map(parse);
      return parsed.every((octets) => octets !== undefined) ? Buffer.concat(parsed) : undefined;
    },
    print: (value) => chunks(value, size).map(print).join(','),
    isValid: (value) => value.length > 0 && value.length % size === 0,
  };
}

function chunks(value: Uint8Array, size: number): Uint8Array[] {
  return Array.from({ length: Math.floor(value.length / size) }, (_, at) => value.subarray(at * size, (at + 1) * size));
}

function uint16s(numbers: readonly number[]): Uint8Array {
  return Uint8Array.from(numbers.flatMap((number) => [number >> 8, number & 0xff]));
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, at) => number > (numbers[at - 1] ?? -1));
}

function isEmpty(value: Uint8Array): boolean {
  return value.length === 0;
}
