import { hasInnerHyphensOnly, isHostLabel, isWildcardLabel } from '../labels.js';
import { DomainName, quoted } from '../name.js';
import type { WireReader } from '../wire/wire-reader.js';
import type { WireWriter } from '../wire/wire-writer.js';
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.js';
import { MAX_STRING, octetsToText, textToOctets } from './character-string.js';
import { decodeBase64, decodeHex, encodeBase64, encodeHex } from './encodings.js';
import type { TokenReader } from './token-reader.js';
import { RdataError } from './rdata-error.js';

/** One part of RDATA, in its two forms: text and octets. */
export interface Field<T> {
  /** Takes its items from the text. */
  parse(tokens: TokenReader): T;
  print(value: T): string;
  read(wire: WireReader): T;
  write(value: T, out: WireWriter): void;
  /** What a value must be beyond its form; throws an RdataError. */
  check?(value: T): void;
  /** The value that stands for all its spellings. */
  canonicalize?(value: T): T;
}

/** What the fields that reach to the end of the RDATA have in common. */
const toTheEnd = {
  read: (wire: WireReader) => wire.rest(),
  write: (value: Uint8Array, out: WireWriter) => out.octets(value),
};

/** A number of one octet; with `meanings`, one of those. */
export function uint8(label: string, meanings?: readonly number[]): Field<number> {
  return {
    parse: (tokens) => parseDecimal(tokens, label, 0xff),
    print: String,
    read: (wire) => wire.uint8(),
    write: (value, out) => out.uint8(value),
    check(value) {
      if (meanings?.includes(value) === false) {
        throw new RdataError(`${label} ${value} has no meaning: use one of ${meanings.join(', ')}`);
      }
    },
  };
}

export function uint16(label: string): Field<number> {
  return {
    parse: (tokens) => parseDecimal(tokens, label, 0xffff),
    print: String,
    read: (wire) => wire.uint16(),
    write: (value, out) => out.uint16(value),
  };
}

export function uint32(label: string): Field<number> {
  return {
    parse: (tokens) => parseDecimal(tokens, label, 0xffffffff),
    print: String,
    read: (wire) => wire.uint32(),
    write: (value, out) => out.uint32(value),
  };
}

/** Lets some numbers be written as words; canonical text has the numbers. */
export function withMnemonics(field: Field<number>, mnemonics: ReadonlyMap<string, number>): Field<number> {
  return {
    ...field,
    parse(tokens) {
      const token = tokens.peek();
      const value = token?.quoted === false ? mnemonics.get(token.text) : undefined;
      if (value === undefined) return field.parse(tokens);
      tokens.skip();
      return value;
    },
  };
}

export function ipv4(label: string): Field<Uint8Array> {
  return {
    parse: (tokens) => parseAddress(tokens, label, parseIpv4, 'an IPv4 address like 192.0.2.1, without leading zeros'),
    print: formatIpv4,
    read: (wire) => wire.octets(4),
    write: (value, out) => out.octets(value),
  };
}

export function ipv6(label: string): Field<Uint8Array> {
  return {
    parse: (tokens) =>
      parseAddress(tokens, label, parseIpv6, 'an IPv6 address like 2001:db8::1, without zone or brackets'),
    print: formatIpv6,
    read: (wire) => wire.octets(16),
    write: (value, out) => out.octets(value),
  };
}

/** Any legal name but one that clients cannot use: control octets and wildcards have no business in a target. */
export function domainName(label: string): Field<DomainName> {
  return {
    parse: (tokens) => DomainName.parse(tokens.unquoted(label), tokens.origin),
    print: String,
    read: (wire) => wire.name(),
    write: (value, out) => out.name(value),
    check(value) {
      if (value.labels.some(isWildcardLabel)) {
        throw new RdataError(`the ${label} has a wildcard in it: name one target`);
      }
      if (value.labels.some((octets) => octets.some(isControl))) {
        throw new RdataError(`the ${label} has a control octet in it: leave it out`);
      }
    },
    canonicalize: (value) => value.canonical,
  };
}

/** A name that a machine may bear; `.` is left to the types, which give it different meanings. */
export function hostName(label: string): Field<DomainName> {
  return {
    ...domainName(label),
    check(value) {
      if (value.labels.every(isHostLabel)) return;
      const wayOut = value.labels.every(hasInnerHyphensOnly)
        ? 'use letters, digits, "-" and "_"'
        : 'no label may begin or end with "-"';
      throw new RdataError(`the ${label} ${quoted(value.toString())} is no host name: ${wayOut}`);
    },
  };
}

/** RFC 1035 §3.3: up to 255 octets, quoted or a single word. */
export function characterString(label: string): Field<Uint8Array> {
  return {
    parse: (tokens) => parseString(tokens, label, MAX_STRING),
    print: octetsToText,
    read: (wire) => wire.octets(wire.uint8()),
    write: (value, out) => out.uint8(value.length).octets(value),
  };
}

/** One character string or more; longer texts are cut into strings of 255 octets. */
export function characterStrings(label: string): Field<readonly Uint8Array[]> {
  const string = characterString(label);
  return {
    parse(tokens) {
      const strings = split(textToOctets(tokens.next(label).text));
      while (!tokens.isAtEnd) strings.push(...split(textToOctets(tokens.next(label).text)));
      return strings;
    },
    print: (value) => value.map(octetsToText).join(' '),
    read(wire) {
      const strings = [string.read(wire)];
      while (wire.remaining > 0) strings.push(string.read(wire));
      return strings;
    },
    write(value, out) {
      for (const octets of value) string.write(octets, out);
    },
  };
}

/** A text without length octet, up to the end of the RDATA. */
export function remainingText(label: string): Field<Uint8Array> {
  return {
    ...toTheEnd,
    parse: (tokens) => parseString(tokens, label, Infinity),
    print: octetsToText,
  };
}

/** Octets up to the end of the RDATA, in hexadecimal; blanks between groups are allowed. */
export function hex(label: string): Field<Uint8Array> {
  return {
    ...toTheEnd,
    parse: (tokens) => parseHex(tokens.allUnquoted(label).join(''), label),
    print: encodeHex,
    check: (value) => assertNotEmpty(value, label),
  };
}

/** Like `hex`, but API data has it in one group. */
export function ungroupedHex(label: string): Field<Uint8Array> {
  const grouped = hex(label);
  return {
    ...grouped,
    parse: (tokens) => (tokens.origin ? grouped.parse(tokens) : parseHex(tokens.unquoted(label), label)),
  };
}

/** Octets up to the end of the RDATA, in base64 (RFC 4648 §4); blanks between groups are allowed. */
export function base64(label: string): Field<Uint8Array> {
  return {
    ...toTheEnd,
    parse(tokens) {
      const text = tokens.allUnquoted(label).join('');
      return (
        decodeBase64(text) ??
        refuse(`the ${label} ${quoted(text)} is not base64: check it for missing characters and padding`)
      );
    },
    print: encodeBase64,
    check: (value) => assertNotEmpty(value, label),
  };
}

/** RFC 3597 §5: `\#`, the number of octets, and the octets in hexadecimal. */
export const genericRdata: Field<Uint8Array> = {
  ...toTheEnd,
  parse(tokens) {
    if (tokens.unquoted('data') !== GENERIC_MARK) {
      throw new RdataError(`write ${GENERIC_MARK}, the number of octets, and the octets in hexadecimal`);
    }
    const length = parseDecimal(tokens, 'number of octets', 0xffff);
    const octets = parseHex(tokens.isAtEnd ? '' : tokens.allUnquoted('octets').join(''), 'octets');
    if (octets.length !== length) {
      throw new RdataError(`${GENERIC_MARK} announces ${length} octets, but ${octets.length} follow`);
    }
    return octets;
  },
  print: (value) => `${GENERIC_MARK} ${value.length} ${encodeHex(value)}`.trimEnd(),
};

export const GENERIC_MARK = '\\#';

/** API data has one spelling for each number; in master files leading zeros are common. */
export function parseDecimal(tokens: TokenReader, label: string, max: number): number {
  const text = tokens.unquoted(label);
  const form = tokens.origin ? /^[0-9]{1,10}$/ : /^(0|[1-9][0-9]{0,9})$/;
  const value = form.test(text) ? Number(text) : Infinity;
  if (value > max) throw new RdataError(`the ${label} ${quoted(text)} is not a plain number from 0 to ${max}`);
  return value;
}

function parseHex(text: string, label: string): Uint8Array {
  return decodeHex(text) ?? refuse(`the ${label} ${quoted(text)} is not hexadecimal: write two digits for each octet`);
}

function parseAddress(
  tokens: TokenReader,
  label: string,
  parse: (text: string) => Uint8Array | undefined,
  form: string,
): Uint8Array {
  const text = tokens.unquoted(label);
  return parse(text) ?? refuse(`the ${label} ${quoted(text)} is not ${form}`);
}

function parseString(tokens: TokenReader, label: string, max: number): Uint8Array {
  const octets = textToOctets(tokens.next(label).text);
  if (octets.length > max) throw new RdataError(`the ${label} has ${octets.length} octets: ${max} fit`);
  return octets;
}

function split(octets: Uint8Array): Uint8Array[] {
  const strings = [octets.subarray(0, MAX_STRING)];
  for (let at = MAX_STRING; at < octets.length; at += MAX_STRING) strings.push(octets.subarray(at, at + MAX_STRING));
  return strings;
}

function assertNotEmpty(octets: Uint8Array, label: string): void {
  if (octets.length === 0) throw new RdataError(`the ${label} is empty`);
}

function isControl(octet: number): boolean {
  return octet < 0x20 || octet === 0x7f;
}

function refuse(message: string): never {
  throw new RdataError(message);
}
