import { quoted } from '../name.js';
import { encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { domainName, ipv4, uint16 } from './fields.js';
import { wordForm } from './json-form.js';
import { RdataError } from './rdata-error.js';
import { plainType } from './record-type.js';

const GROUPS = /^[0-9A-Fa-f]{1,4}(?::[0-9A-Fa-f]{1,4}){3}$/;

/** RFC 6742 §2.1.2: 64 bits in four hexadecimal groups. */
const sixtyFourBits: Field<Uint8Array> = {
  form: 'four groups of hexadecimal digits, joined by colons',
  parse(tokens, label) {
    const text = tokens.unquoted(label);
    if (!GROUPS.test(text))
      throw new RdataError(`the ${label} ${quoted(text)} is malformed: write four groups like 0014:4fff:ff20:ee64`);
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

/** Identifier of a node in ILNP (RFC 6740). */
export const NID = plainType('NID', 104, 'RFC 6742 §2.1', 'host.example.org. 10 0014:4fff:ff20:ee64', {
  preference: uint16,
  nodeId: sixtyFourBits,
});

/** Network of a node in ILNP for IPv4. */
export const L32 = plainType('L32', 105, 'RFC 6742 §2.2', 'host.example.org. 10 192.0.2.0', {
  preference: uint16,
  locator: ipv4,
});

/** Network of a node in ILNP for IPv6. */
export const L64 = plainType('L64', 106, 'RFC 6742 §2.3', 'host.example.org. 10 2001:0db8:1140:1000', {
  preference: uint16,
  locator: sixtyFourBits,
});

/** Name with the L32 and L64 records of a node. */
export const LP = plainType('LP', 107, 'RFC 6742 §2.4', 'host.example.org. 10 l64-subnet.example.org.', {
  preference: uint16,
  target: domainName,
});
