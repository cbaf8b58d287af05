import { quoted } from '../name.js';
import { ALGORITHMS } from './dnssec.js';
import type { Field } from './field.js';
import { base64, domainName, uint16, uint8, withMnemonics } from './fields.js';
import { wordForm } from './json-form.js';
import { RdataError, recordType } from './record-type.js';
import { typeCode, typeName } from './type-names.js';

/** RFC 2230 §3 — a host that exchanges keys for the owner. */
export const KX = recordType({
  name: 'KX',
  code: 36,
  rfc: 'RFC 2230 §3',
  fields: { preference: uint16, exchanger: domainName },
  example: { name: 'host.example.org.', data: '10 kx.example.org.' },
});

const NO_KEY = 0xc000;

/** RFC 2535 §3 — a key, today of SIG(0) only (RFC 2931 §2.4). */
export const KEY = recordType({
  name: 'KEY',
  code: 25,
  rfc: 'RFC 2535 §3',
  fields: { flags: uint16, protocol: uint8, algorithm: withMnemonics(uint8, ALGORITHMS), publicKey: base64 },
  check({ flags, algorithm }) {
    // RFC 2535 §3.1.2.
    if (flags >= NO_KEY)
      throw new RdataError('flags from 49152 on mean a record without a key: use lower ones', 'data', 'flags');
    if (algorithm < 253) return;
    throw new RdataError('algorithms from 253 on are private: use one like 13', 'data', 'algorithm');
  },
  example: { name: 'host.example.org.', data: '512 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=' },
});

/** IANA, trust anchor links — the neighbors in a list of names. */
export const TALINK = recordType({
  name: 'TALINK',
  code: 58,
  rfc: 'IANA TALINK/talink-completed-template',
  fields: { previous: domainName, next: domainName },
  example: { name: 'c.example.org.', data: 'a.example.net. e.example.net.' },
});

const recordTypeField: Field<number> = {
  form: 'record type',
  parse(tokens, label) {
    const text = tokens.unquoted(label);
    const code = typeCode(text);
    if (code !== undefined) return code;
    throw new RdataError(
      `the ${label} ${quoted(text)} is not a record type: write one like CDS, or TYPE and its number`,
    );
  },
  print: typeName,
  read: (wire) => wire.uint16(),
  write: (value, out) => out.uint16(value),
  json: wordForm('record_type', typeName),
};

/** RFC 9859 §2.3.2. */
const SCHEMES: ReadonlyMap<string, number> = new Map([['NOTIFY', 1]]);

/** RFC 9859 §2.3 — where a parent zone takes notifications of changes to the delegation. */
export const DSYNC = recordType({
  name: 'DSYNC',
  code: 66,
  rfc: 'RFC 9859 §2.3',
  fields: { rrtype: recordTypeField, scheme: withMnemonics(uint8, SCHEMES), port: uint16, target: domainName },
  example: { name: '_dsync.example.org.', data: 'CDS 1 5359 cds-scanner.example.net.' },
});

/** RFC 9886 §5.1 — the registration of an aircraft's host identity. */
export const HHIT = recordType({
  name: 'HHIT',
  code: 67,
  rfc: 'RFC 9886 §5.1',
  fields: { data: base64 },
  example: { name: 'uas.example.org.', data: 'gwGCAAEC' },
});

/** RFC 9886 §5.2 — the remote identification of an aircraft for broadcasts. */
export const BRID = recordType({
  name: 'BRID',
  code: 68,
  rfc: 'RFC 9886 §5.2',
  fields: { data: base64 },
  example: { name: 'uas.example.org.', data: 'owAAAYIAAg==' },
});

const uint64: Field<bigint> = {
  form: 'number 0–18446744073709551615',
  parse(tokens, label) {
    const text = tokens.unquoted(label);
    const value = /^(0|[1-9][0-9]{0,19})$/.test(text) ? BigInt(text) : -1n;
    if (value >= 0n && value < 1n << 64n) return value;
    throw new RdataError(
      `the ${label} ${quoted(text)} is not a plain number: write one from 0 to 18446744073709551615`,
    );
  },
  print: String,
  read: (wire) => (BigInt(wire.uint32()) << 32n) | BigInt(wire.uint32()),
  write: (value, out) => out.uint32(Number(value >> 32n)).uint32(Number(value & 0xffffffffn)),
  json: wordForm('presentation', (value: bigint) => String(value)),
};

/** IANA, Bundle Protocol — the number of a node. */
export const IPN = recordType({
  name: 'IPN',
  code: 264,
  rfc: 'IANA IPN/ipn-completed-template',
  fields: { nodeNumber: uint64 },
  example: { name: 'node.example.org.', data: '977000' },
});
