import { hasInnerHyphensOnly, isHostLabel, isPlainHostName, isWildcardLabel } from '../labels.js';
import { DomainName, quoted, displayName } from '../name.js';
import type { WireReader } from '../message/wire-reader.js';
import type { WireWriter } from '../message/wire-writer.js';
import { formatIpv4, formatIpv6, parseIpv4, parseIpv6 } from './address.js';
import { MAX_STRING, octetsToText, textToOctets } from './character-string.js';
import { decodeBase64, decodeHex, encodeBase64, encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { textForm, textsForm, wordForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import type { TokenReader } from './token-reader.js';

/** What the fields share that reach to the end of the RDATA. */
const toTheEnd = {
  read: (wire: WireReader) => wire.rest(),
  write: (value: Uint8Array, out: WireWriter) => out.octets(value),
};

export { uint16, uint32, uint8, uint8In, withMnemonics } from './number-fields.js';

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

/** Any legal name without control octets and wildcard labels, which clients cannot use in data. */
export const domainName: Field<DomainName> = {
  form: 'domain name',
  parse: (tokens, label) => parseName(tokens.unquoted(label), tokens.origin, label),
  print: String,
  read: (wire) => wire.name(),
  write: (value, out) => out.name(value),
  check(value, label) {
    if (value.labels.some(isWildcardLabel)) {
      throw new RdataError(`the ${label} has a wildcard in it: name one target`);
    }
    if (value.labels.some((octets) => octets.some(isControl))) {
      throw new RdataError(`the ${label} has a control octet in it: leave it out`);
    }
  },
  canonicalize: (value) => value.canonical,
  json: wordForm('domain_name', (value: DomainName) => value.toString()),
};

/** The name of a host, or `.`, to which each type gives its own meaning. */
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

/** One character string or more; longer texts are cut into strings of 255 octets. */
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

/** Text up to the end of the RDATA, without an octet for its length. */
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

/** The same, in a single group in API data. */
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

/** Whoever writes an address where a name belongs is not helped by a final dot. */
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
