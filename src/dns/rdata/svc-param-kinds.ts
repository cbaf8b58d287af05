import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.js';
import { latin1 } from './character-string.js';
import { decodeBase64, encodeBase64 } from './encodings.js';

/** Text has one character for each octet and no escapes. */
export interface SvcParamKind {
  readonly key: number;
  readonly name: string;
  readonly form: string;
  /** RFC 9460 §7.2, §7.3, §8: the text may not have escapes. */
  readonly isWithoutEscapes?: true;
  parse(text: string): Uint8Array | undefined;
  print(value: Uint8Array): string;
  isValid(value: Uint8Array): boolean;
  /** Whether all name servers read the printed value. Default: true. */
  isReadEverywhere?(value: Uint8Array): boolean;
}

export const MANDATORY = 0;
export const ALPN = 1;
export const NO_DEFAULT_ALPN = 2;

/** RFC 9460 §14.3.2: the last key that all name servers know by name. */
const LAST_COMMON_KEY = 6;
/** RFC 9460 §14.3.1. */
export const INVALID_KEY = 0xffff;

/** Key of a name like alpn or key667 (RFC 9460 §2.1). */
export function svcParamKey(name: string): number | undefined {
  const digits = /^key(0|[1-9][0-9]{0,4})$/.exec(name)?.[1];
  if (digits === undefined) return KINDS.find((kind) => kind.name === name)?.key;
  return Number(digits) <= INVALID_KEY ? Number(digits) : undefined;
}

/** Name that all name servers read: key667 for newer keys. */
export function svcParamName(key: number): string {
  return (key <= LAST_COMMON_KEY ? svcParamKind(key)?.name : undefined) ?? `key${key}`;
}

export function svcParamNames(): readonly Pick<SvcParamKind, 'name' | 'form'>[] {
  return KINDS.map(({ key, form }) => ({ name: svcParamName(key), form }));
}

export function svcParamKind(key: number): SvcParamKind | undefined {
  return KINDS.find((kind) => kind.key === key);
}

/** RFC 9460 §8. */
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
    // Knot, NSD and ldns refuse or misread other identifiers.
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
    // RFC 9461 §5: BIND refuses a zone with another value.
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
    // RFC 9953 §8.1: path segments for DNS over CoAP, each with its length; none for the root.
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

/** `\,` and `\\` are escapes (RFC 9460 §A.1). Like name servers, accepts a backslash before any octet. */
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

/** A truncated identifier becomes empty. */
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

/** RFC 6570 §2.1. */
const LITERAL =
  /^(?:[!#$&()*+,\-./0-9:;=?@A-Z[\]_a-z~\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10fffd}]|%[0-9A-Fa-f]{2})+/u;

/** RFC 6570 §2.2: an expression without the reserved operators `= , ! @ |`. */
const EXPRESSION = /^\{([+#./;?&]?)([^{}]*)\}/;

/** RFC 6570 §2.3, §2.4: a name with an optional modifier. BIND does not accept dots. */
const VARIABLE = /^((?:[A-Za-z0-9_]|%[0-9A-Fa-f]{2})+)(?::[1-9][0-9]{0,3}|\*)?$/;

/** RFC 6570 §2; undefined for an invalid template. */
export function variablesOfTemplate(text: string): string[] | undefined {
  const variables: string[] = [];
  for (let rest = text; rest !== '';) {
    const literal = LITERAL.exec(rest)?.[0];
    if (literal !== undefined) {
      rest = rest.slice(literal.length);
      continue;
    }
    const [expression, , list] = EXPRESSION.exec(rest) ?? [];
    if (expression === undefined || list === undefined) return undefined;
    for (const variable of list.split(',')) {
      const name = VARIABLE.exec(variable)?.[1];
      if (name === undefined) return undefined;
      variables.push(name);
    }
    rest = rest.slice(expression.length);
  }
  return variables;
}

/** RFC 9461 §5: a path that begins with `/` and has the variable `dns`. */
export function isDohPath(octets: Uint8Array): boolean {
  try {
    const text = UTF8.decode(octets);
    return text.startsWith('/') && variablesOfTemplate(text)?.includes('dns') === true;
  } catch {
    return false;
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
