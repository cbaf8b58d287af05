import { quoted } from '../name.js';
import { encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { domainName, ipv4, uint16 } from './fields.js';
import { wordForm } from './json-form.js';
import { RdataError, recordType } from './record-type.js';

const GROUPS = /^[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){3}$/;

/** RFC 6742 §2.1.2 — 64 bits in four hexadecimal groups. */
const sixtyFourBits: Field<Uint8Array> = {
  form: 'four groups of hexadecimal digits, joined by colons',
  parse(tokens, label) {
    const text = tokens.unquoted(label);
    if (!GROUPS.test(text)) {
      throw new RdataError(`the ${label} ${quoted(text)} is malformed: write four groups like 0014:4fff:ff20:ee64`);
    }
    const digits = text.split(':').map((group) => group.padStart(4, '0'));
    return Buffer.from(digits.join(''), 'hex');
  },
  print,
  read: (wire) => wire.octets(8),
  write: (value, out) => out.octets(value),
  json: wordForm('presentation', print),
};

function print(value: Uint8Array): string {
  return encodeHex(value).replace(/(....)(?=.)/g, '$1:');
}

/** RFC 6742 §2.1 — the identifier of a node in ILNP (RFC 6740). */
export const NID = recordType({
  name: 'NID',
  code: 104,
  rfc: 'RFC 6742 §2.1',
  fields: { preference: uint16, nodeId: sixtyFourBits },
  example: { name: 'host.example.org.', data: '10 0014:4fff:ff20:ee64' },
});

/** RFC 6742 §2.2 — the network of a node in ILNP for IPv4. */
export const L32 = recordType({
  name: 'L32',
  code: 105,
  rfc: 'RFC 6742 §2.2',
  fields: { preference: uint16, locator: ipv4 },
  example: { name: 'host.example.org.', data: '10 192.0.2.0' },
});

/** RFC 6742 §2.3 — the network of a node in ILNP for IPv6. */
export const L64 = recordType({
  name: 'L64',
  code: 106,
  rfc: 'RFC 6742 §2.3',
  fields: { preference: uint16, locator: sixtyFourBits },
  example: { name: 'host.example.org.', data: '10 2001:0db8:1140:1000' },
});

/** RFC 6742 §2.4 — the name that has the L32 and L64 records of a node. */
export const LP = recordType({
  name: 'LP',
  code: 107,
  rfc: 'RFC 6742 §2.4',
  fields: { preference: uint16, target: domainName },
  example: { name: 'host.example.org.', data: '10 l64-subnet.example.org.' },
});
