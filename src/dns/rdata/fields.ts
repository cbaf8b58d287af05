import { hasInnerHyphensOnly, isHostLabel, isPlainHostName, isWildcardLabel } from '../labels.js';
import { DomainName, quoted, displayName } from '../name.js';
import type { WireReader, WireWriter } from '../message/wire.js';
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.js';
import { MAX_STRING, octetsToText, textToOctets } from './character-string.js';
import { decodeBase64, decodeHex, encodeBase64, encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { textForm, textsForm, wordForm, choiceForm, type FieldValue, numberForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { type TokenReader, parseDecimal } from './tokens.js';

function unsigned(max: number, { read, write }: Pick<Field<number>, 'read' | 'write'>): Field<number> {
  return {
    form: `number 0–${max}`,
    parse: (tokens, label) => parseDecimal(tokens, label, max),
    print: String,
    read,
    write,
    json: numberForm(max),
  };
}

export const uint8 = unsigned(0xff, { read: (wire) => wire.uint8(), write: (value, out) => out.uint8(value) });
export const uint16 = unsigned(0xffff, { read: (wire) => wire.uint16(), write: (value, out) => out.uint16(value) });
export const uint32 = unsigned(0xffffffff, { read: (wire) => wire.uint32(), write: (value, out) => out.uint32(value) });

/** A number of one octet from a list. @param meanings the numbers, or a map from number to label for programs */
export function uint8In(meanings: readonly number[] | ReadonlyMap<number, string>): Field<number> {
  const labels = 'length' in meanings ? new Map(meanings.map((value) => [value, String(value)])) : meanings;
  const numbers = [...labels.keys()];
  return {
    ...uint8,
    form: numbers.join(', '),
    check(value, label) {
      if (labels.has(value)) return;
      throw new RdataError(`${label} ${value} has no meaning: use one of ${numbers.join(', ')}`);
    },
    json: choiceForm(meaningsOf(labels)),
  };
}

/** A number or its mnemonic. It is printed as a number. */
export function withMnemonics(field: Field<number>, mnemonics: ReadonlyMap<string, number>): Field<number> {
  const meanings = new Map([...mnemonics].map(([mnemonic, value]) => [value, mnemonic]));
  return {
    ...withMeanings(field, meanings),
    form: `${field.form}, or a mnemonic`,
    parse(tokens, label) {
      const token = tokens.peek();
      const value = token?.quoted === false ? mnemonics.get(token.text) : undefined;
      if (value === undefined) return field.parse(tokens, label);
      tokens.skip();
      return value;
    },
  };
}

/** Labels some values of the field for programs. @internal */
export function withMeanings(field: Field<number>, meanings: ReadonlyMap<number, string>): Field<number> {
  return field.json === undefined ? field : { ...field, json: { ...field.json, values: meaningsOf(meanings) } };
}

const SECONDS: Readonly<Record<string, number>> = { W: 604_800, D: 86_400, H: 3_600, M: 60, S: 1 };

/** Seconds in 32 bits; master files may use units, as in 1h30m. @internal */
export const period: Field<number> = {
  ...uint32,
  form: 'number of seconds',
  parse(tokens, label) {
    const seconds = tokens.origin ? periodInSeconds(tokens.peek()?.text ?? '') : undefined;
    if (seconds === undefined) return uint32.parse(tokens, label);
    tokens.skip();
    return seconds;
  },
};

/**
 * Reads units as in `1w2d3h4m5s` of BIND. Returns undefined for other texts, plain numbers included, and above 32 bits.
 * @internal
 */
export function periodInSeconds(text: string): number | undefined {
  if (text.length > 50 || !/^(?:[0-9]{1,10}[WDHMS])+$/i.test(text)) return undefined;
  const parts = text.toUpperCase().match(/[0-9]+[WDHMS]/g) ?? [];
  const seconds = parts.reduce((sum, part) => sum + parseInt(part, 10) * (SECONDS[part.slice(-1)] ?? 0), 0);
  return seconds <= 0xffffffff ? seconds : undefined;
}

export const ipv4: Field<Uint8Array> = {
  form: 'IPv4 address',
  parse: (tokens, label) =>
    parseAddress(tokens, label, parseIpv4, 'an IPv4 address: write one like 192.0.2.1, without leading zeros'),
  print: formatIpv4,
  read: (wire) => wire.octets(4),
  write: (value, out) => out.octets(value),
  json: wordForm('ipv4', formatIpv4),
};

export const ipv6: Field<Uint8Array> = {
  form: 'IPv6 address',
  parse: (tokens, label) =>
    parseAddress(tokens, label, parseIpv6, 'an IPv6 address: write one like 2001:db8::1, without zone or brackets'),
  print: formatIpv6,
  read: (wire) => wire.octets(16),
  write: (value, out) => out.octets(value),
  json: wordForm('ipv6', formatIpv6),
};

/** Any name without control octets and wildcard labels, which clients cannot use in data. */
export const domainName: Field<DomainName> = {
  form: 'domain name',
  parse: (tokens, label) => parseName(tokens.unquoted(label), tokens.origin, label),
  print: String,
  read: (wire) => wire.name(),
  write: (value, out) => out.name(value),
  check: ({ labels }, label) => checkLabels(labels, label),
  canonicalize: (value) => value.canonical,
  json: wordForm('domain_name', (value: DomainName) => value.toString()),
};

/** @param targets labels that may not be a wildcard */
function checkLabels(labels: readonly Uint8Array[], label: string, targets = labels): void {
  if (targets.some(isWildcardLabel)) throw new RdataError(`the ${label} has a wildcard in it: name one target`);
  if (labels.some((octets) => octets.some(isControl)))
    throw new RdataError(`the ${label} has a control octet in it: leave it out`);
}

/** A mailbox as a name: the first label is the local part, which may be `*` (RFC 1035 §8). */
export const mailbox: Field<DomainName> = {
  ...domainName,
  check: ({ labels }, label) => checkLabels(labels, label, labels.slice(1)),
};

/** A host name, or `.`, to which each type gives its own meaning. */
export const hostName: Field<DomainName> = {
  ...domainName,
  form: 'host name',
  check(value, label) {
    if (isPlainHostName(value.wire) || value.labels.every(isHostLabel)) return;
    const advice = value.labels.every(hasInnerHyphensOnly)
      ? 'use letters, digits, "-" and "_"'
      : 'no label may begin or end with "-"';
    throw new RdataError(`the ${label} ${quoted(displayName(value))} is not a host name: ${advice}`);
  },
  json: wordForm('host_name', (value: DomainName) => value.toString()),
};

/** RFC 1035 §3.3: up to 255 octets, in quotes or a single token without them. */
export const characterString: Field<Uint8Array> = {
  form: 'text, up to 255 octets',
  parse: (tokens, label) => parseString(tokens, label, MAX_STRING),
  print: octetsToText,
  read: (wire) => wire.octets(wire.uint8()),
  write: (value, out) => out.uint8(value.length).octets(value),
  json: textForm(MAX_STRING),
};

/** One or more character strings; longer texts are split into strings of 255 octets. */
export const characterStrings: Field<readonly Uint8Array[]> = {
  form: 'one text or more',
  parse(tokens, label) {
    const strings = split(textToOctets(tokens.next(label).text));
    while (!tokens.isAtEnd) strings.push(...split(textToOctets(tokens.next(label).text)));
    return strings;
  },
  print: (value) => value.map(octetsToText).join(' '),
  read(wire) {
    const strings = [characterString.read(wire)];
    while (wire.remaining > 0) strings.push(characterString.read(wire));
    return strings;
  },
  write(value, out) {
    for (const octets of value) characterString.write(octets, out);
  },
  json: textsForm,
};

const toTheEnd = {
  read: (wire: WireReader) => wire.rest(),
  write: (value: Uint8Array, out: WireWriter) => out.octets(value),
};

/** Text up to the end of the RDATA, without a length octet. */
export const remainingText: Field<Uint8Array> = {
  ...toTheEnd,
  form: 'text',
  parse: (tokens, label) => parseString(tokens, label, Infinity),
  print: octetsToText,
  json: textForm(),
};

/** Octets up to the end of the RDATA, in hexadecimal; blanks between groups are allowed. */
export const hex: Field<Uint8Array> = {
  ...toTheEnd,
  form: 'hexadecimal',
  parse: (tokens, label) => parseHex(tokens.allUnquoted(label).join(''), label),
  print: encodeHex,
  check: assertNotEmpty,
  json: wordForm('hexadecimal', encodeHex),
};

/** Hexadecimal that API data has in a single group. */
export const ungroupedHex: Field<Uint8Array> = {
  ...hex,
  form: 'hexadecimal, in one group',
  parse: (tokens, label) => (tokens.origin ? hex.parse(tokens, label) : parseHex(tokens.unquoted(label), label)),
};

/** Octets up to the end of the RDATA, in base64 (RFC 4648 §4); blanks between groups are allowed. */
export const base64: Field<Uint8Array> = {
  ...toTheEnd,
  form: 'base64',
  parse(tokens, label) {
    const text = tokens.allUnquoted(label).join('');
    return (
      decodeBase64(text) ??
      refuse(`the ${label} ${quoted(text)} is not base64: check it for missing characters and padding`)
    );
  },
  print: encodeBase64,
  check: assertNotEmpty,
  json: wordForm('base64', encodeBase64),
};

/** An address instead of a name gets its own error: advice to add a final dot would mislead. */
function parseName(text: string, origin: DomainName | undefined, label: string): DomainName {
  if (origin === undefined && !text.endsWith('.') && (parseIpv4(text) ?? parseIpv6(text)) !== undefined)
    throw new RdataError(
      `the ${label} ${quoted(text)} is an address: write the name of a host that has it, like host.example.org.`,
    );
  return DomainName.parse(text, origin);
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
  if (octets.length > max) throw new RdataError(`the ${label} has ${octets.length} octets: shorten it to ${max}`);
  return octets;
}

function split(octets: Uint8Array): Uint8Array[] {
  const strings = [octets.subarray(0, MAX_STRING)];
  for (let at = MAX_STRING; at < octets.length; at += MAX_STRING) strings.push(octets.subarray(at, at + MAX_STRING));
  return strings;
}

function assertNotEmpty(octets: Uint8Array, label: string): void {
  if (octets.length === 0) throw new RdataError(`the ${label} is empty: give it at least one octet`);
}

function isControl(octet: number): boolean {
  return octet < 0x20 || octet === 0x7f;
}

function refuse(message: string): never {
  throw new RdataError(message);
}

function meaningsOf(meanings: ReadonlyMap<number, string>): FieldValue[] {
  return [...meanings].map(([value, label]) => ({ value, label }));
}
