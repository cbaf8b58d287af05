import { latin1, MAX_STRING } from './character-string.js';
import type { Field } from './field.js';
import { characterString, hostName, uint16, domainName } from './fields.js';
import { jsonOfText, textForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { plainType, recordType } from './record-type.js';

/** Server of an AFS or DCE cell. */
export const AFSDB = recordType({
  name: 'AFSDB',
  code: 18,
  rfc: 'RFC 1183 §1',
  fields: { subtype: uint16, hostName },
  targets: ['hostName'],
  example: { name: 'example.org.', data: '1 afs.example.org.' },
});

/** RFC 1183 §3.1. BIND refuses a zone with any other text. */
const psdnAddress: Field<Uint8Array> = {
  ...characterString,
  form: 'four or more digits in quotes',
  check(value, label) {
    if (!/^[0-9]{4,}$/.test(latin1(value)))
      throw new RdataError(`the ${label} is malformed: write four digits or more`);
  },
};

/** Address in a public switched data network (ITU-T X.121). */
export const X25 = plainType('X25', 19, 'RFC 1183 §3.1', 'relay.example.org. "311061700956"', { psdnAddress });

/** RFC 1183 §3.2: the last field, which may be missing. */
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

export const ISDN = plainType('ISDN', 20, 'RFC 1183 §3.2', 'relay.example.org. "150862028003217" "004"', {
  isdnAddress: characterString,
  subaddress,
});

/** Host that forwards to a host without its own address. */
export const RT = recordType({
  name: 'RT',
  code: 21,
  rfc: 'RFC 1183 §3.3',
  fields: { preference: uint16, intermediateHost: hostName },
  targets: ['intermediateHost'],
  example: { name: 'sh.example.org.', data: '10 relay.example.org.' },
});

/** Person responsible: a mailbox, and the name of a TXT record; `.` for none. */
export const RP = plainType('RP', 17, 'RFC 1183 §2.2', 'host.example.org. admin.example.org. admin-info.example.org.', {
  mailbox: domainName,
  text: domainName,
});
