import { ipv6 } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 3596 §2.2 — an IPv6 address. */
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
