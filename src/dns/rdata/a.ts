import { ipv4 } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 1035 §3.4.1 — an IPv4 address. */
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
