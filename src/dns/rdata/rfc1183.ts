import { latin1, MAX_STRING } from './character-string.js';
import type { Field } from './field.js';
import { characterString, hostName, uint16 } from './fields.js';
import { jsonOfText, textForm } from './json-form.js';
import { RdataError, recordType } from './record-type.js';

/** RFC 1183 §1 — a server of an AFS cell, or of a DCE cell. */
export const AFSDB = recordType({
  name: 'AFSDB',
  code: 18,
  rfc: 'RFC 1183 §1',
  fields: { subtype: uint16, hostName },
  targets: ['hostName'],
  example: { name: 'example.org.', data: '1 afs.example.org.' },
});

/** RFC 1183 §3.1 — BIND refuses a zone with any other text. */
const psdnAddress: Field<Uint8Array> = {
  ...characterString,
  form: 'four or more digits in quotes',
  check(value, label) {
    if (!/^[0-9]{4,}$/.test(latin1(value)))
      throw new RdataError(`the ${label} is malformed: write four digits or more`);
  },
};

/** RFC 1183 §3.1 — an address in a public switched data network (ITU-T X.121). */
export const X25 = recordType({
  name: 'X25',
  code: 19,
  rfc: 'RFC 1183 §3.1',
  fields: { psdnAddress },
  example: { name: 'relay.example.org.', data: '"311061700956"' },
});

/** RFC 1183 §3.2 — the last field, which may be missing. */
const subaddress: Field<Uint8Array | null> = {
  form: 'text, up to 255 octets, or nothing',
  parse: (tokens, label) => (tokens.isAtEnd ? null : characterString.parse(tokens, label)),
  print: (value) => (value === null ? '' : characterString.print(value)),
  read: (wire) => (wire.remaining === 0 ? null : characterString.read(wire)),
  write(value, out) {
    if (value !== null) characterString.write(value, out);
  },
  check(value, label) {
    if (value?.length === 0) throw new RdataError(`the ${label} is empty: leave it out`);
  },
  json: {
    ...textForm(MAX_STRING),
    optional: true,
    toTokens: (json, label) => (json === '' ? [] : textForm(MAX_STRING).toTokens(json, label)),
    toJson: (value) => (value === null ? '' : jsonOfText(value)),
  },
};

/** RFC 1183 §3.2 — a number in the telephone network. */
export const ISDN = recordType({
  name: 'ISDN',
  code: 20,
  rfc: 'RFC 1183 §3.2',
  fields: { isdnAddress: characterString, subaddress },
  example: { name: 'relay.example.org.', data: '"150862028003217" "004"' },
});

/** RFC 1183 §3.3 — a host that forwards to another one without an address of its own. */
export const RT = recordType({
  name: 'RT',
  code: 21,
  rfc: 'RFC 1183 §3.3',
  fields: { preference: uint16, intermediateHost: hostName },
  targets: ['intermediateHost'],
  example: { name: 'sh.example.org.', data: '10 relay.example.org.' },
});
