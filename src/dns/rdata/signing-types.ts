import type { WireReader, WireWriter } from '../message/wire.js';
import type { DomainName } from '../name.js';
import { decodeBase32Hex, encodeBase32Hex, encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { base64, domainName, uint16, uint32, uint8 } from './fields.js';
import { wordForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { recordType, type RecordType } from './record-type.js';
import { typeBitmap } from './type-bitmap.js';
import { typeCode, typeName } from './type-names.js';

/* Accepted only from primaries. Names are equal only with equal octets, so that zones are served unchanged. */

const exactName: Field<DomainName> = {
  form: domainName.form,
  parse: (tokens, label) => domainName.parse(tokens, label),
  print: String,
  read: (wire) => wire.name(),
  write: (value, out) => out.name(value),
  json: wordForm('domain_name', (value: DomainName) => value.toString()),
};

const coveredType: Field<number> = {
  ...uint16,
  form: 'record type',
  parse(tokens, label) {
    const code = typeCode(tokens.unquoted(label));
    if (code === undefined)
      throw new RdataError(`the ${label} is not a record type: write one like A, or TYPE and its number`);
    return code;
  },
  print: typeName,
  json: wordForm('record_type', typeName),
};

/** RFC 4034 §3.2: YYYYMMDDHHmmSS in UTC, or seconds since 1970. */
const time: Field<number> = {
  ...uint32,
  form: 'time YYYYMMDDHHmmSS',
  parse(tokens, label) {
    const [, ...parts] = /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)$/.exec(tokens.peek()?.text ?? '') ?? [];
    if (parts.length === 0) return uint32.parse(tokens, label);
    tokens.skip();
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number);
    return (Date.UTC(year, month - 1, day, hour, minute, second) / 1000) >>> 0;
  },
  print: printTime,
  json: wordForm('presentation', printTime),
};

function printTime(seconds: number): string {
  return new Date(seconds * 1000).toISOString().slice(0, 'YYYY-MM-DDTHH:mm:SS'.length).replace(/\D/g, '');
}

const shortOctets = {
  read: (wire: WireReader) => wire.octets(wire.uint8()),
  write: (value: Uint8Array, out: WireWriter) => out.uint8(value.length).octets(value),
};

/** RFC 5155 §3.3: `-` for no salt. */
const salt: Field<Uint8Array> = {
  ...shortOctets,
  form: 'hexadecimal, or -',
  parse(tokens, label) {
    const text = tokens.unquoted(label);
    if (!/^(?:-|(?:[0-9A-Fa-f]{2})+)$/.test(text))
      throw new RdataError(`the ${label} is not hexadecimal: write - for none`);
    return Buffer.from(text === '-' ? '' : text, 'hex');
  },
  print: printSalt,
  json: wordForm('presentation', printSalt),
};

function printSalt(value: Uint8Array): string {
  return value.length === 0 ? '-' : encodeHex(value);
}

/** RFC 5155 §3.3. */
const hashedOwner: Field<Uint8Array> = {
  ...shortOctets,
  form: 'base32hex',
  parse(tokens, label) {
    const octets = decodeBase32Hex(tokens.unquoted(label));
    if (octets === undefined) throw new RdataError(`the ${label} is not base32hex: write it as RFC 4648 §7 has it`);
    return octets;
  },
  print: encodeBase32Hex,
  json: wordForm('presentation', encodeBase32Hex),
};

/** An NSEC3 without types belongs to an empty non-terminal. */
const typesThere: Field<readonly number[]> = {
  ...typeBitmap,
  parse: (tokens, label) => (tokens.isAtEnd ? [] : typeBitmap.parse(tokens, label)),
  check: () => undefined,
};

const NSEC3_PARAMETERS = { hashAlgorithm: uint8, flags: uint8, iterations: uint16, salt };

/** RFC 4034, RFC 5155. */
export const SIGNING_TYPES: readonly RecordType[] = [
  recordType({
    name: 'RRSIG',
    code: 46,
    rfc: 'RFC 4034 §3.1',
    fields: {
      ...{ typeCovered: coveredType, algorithm: uint8, labels: uint8, originalTtl: uint32 },
      ...{ expiration: time, inception: time, keyTag: uint16, signer: exactName, signature: base64 },
    },
    example: {
      name: 'www.example.org.',
      data: 'A 13 3 300 20261222142653 20261124112653 58875 example.org. c2lnbmF0dXJl',
    },
  }),
  recordType({
    name: 'NSEC',
    code: 47,
    rfc: 'RFC 4034 §4.1',
    fields: { next: exactName, types: typesThere },
    example: { name: 'example.org.', data: 'www.example.org. NS SOA RRSIG NSEC DNSKEY' },
  }),
  recordType({
    name: 'DNSKEY',
    code: 48,
    rfc: 'RFC 4034 §2.1',
    fields: { flags: uint16, protocol: uint8, algorithm: uint8, publicKey: base64 },
    example: { name: 'example.org.', data: '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=' },
  }),
  recordType({
    name: 'NSEC3',
    code: 50,
    rfc: 'RFC 5155 §3.2',
    fields: { ...NSEC3_PARAMETERS, nextHashedOwner: hashedOwner, types: typesThere },
    example: {
      name: '0p9mhaveqvm6t7vbl5lop2u3t2rp3tom.example.org.',
      data: '1 0 0 - 2t7b4g4vsa5smi47k61mv5bv1a22bojr A RRSIG',
    },
  }),
  recordType({
    name: 'NSEC3PARAM',
    code: 51,
    rfc: 'RFC 5155 §4.2',
    fields: NSEC3_PARAMETERS,
    example: { name: 'example.org.', data: '1 0 0 -' },
  }),
];
