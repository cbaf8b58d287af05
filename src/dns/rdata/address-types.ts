import { ipv4, ipv6 } from './fields.js';
import { plainType, recordType } from './record-type.js';
import { quoted } from '../name.js';
import { encodeHex } from './encodings.js';
import type { Field } from './field.js';
import { RdataError } from './rdata-error.js';

export const A = recordType({
  name: 'A',
  code: 1,
  rfc: 'RFC 1035 §3.4.1',
  fields: { address: ipv4 },
  role: 'address',
  isPlainInApi: true,
  hasHostOwner: true,
  example: { name: 'www.example.org.', data: '192.0.2.1' },
});

export const AAAA = recordType({
  name: 'AAAA',
  code: 28,
  rfc: 'RFC 3596 §2.2',
  fields: { address: ipv6 },
  role: 'address',
  isPlainInApi: true,
  hasHostOwner: true,
  example: { name: 'www.example.org.', data: '2001:db8::1' },
});

/** RFC 7043 §3.2, §4.2. Not all name servers load colons and single digits. */
function extendedUniqueIdentifier(length: number): Field<Uint8Array> {
  const form = new RegExp(`^[0-9a-f]{2}(-[0-9a-f]{2}){${length - 1}}$`, 'i');
  return {
    form: `${length} octets in hexadecimal, joined by hyphens`,
    parse(tokens, label) {
      const text = tokens.unquoted(label);
      if (form.test(text)) return Buffer.from(text.replaceAll('-', ''), 'hex');
      throw new RdataError(
        `the ${label} ${quoted(text)} is not ${length} octets: write two hexadecimal digits for each, with "-" between`,
      );
    },
    print: (value) => encodeHex(value).replace(/..(?=.)/g, '$&-'),
    read: (wire) => wire.octets(length),
    write: (value, out) => out.octets(value),
  };
}

export const EUI48 = plainType('EUI48', 108, 'RFC 7043 §3', 'host.example.org. 00-00-5e-00-53-2a', {
  address: extendedUniqueIdentifier(6),
});

export const EUI64 = plainType('EUI64', 109, 'RFC 7043 §4', 'host.example.org. 00-00-5e-ef-10-00-00-2a', {
  address: extendedUniqueIdentifier(8),
});
