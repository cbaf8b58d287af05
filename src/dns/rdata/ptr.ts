import { domainName } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 1035 §3.3.12 — the name that an address points to. */
export const PTR = recordType({
  name: 'PTR',
  code: 12,
  rfc: 'RFC 1035 §3.3.12',
  fields: { name: domainName },
  example: { name: '1.2.0.192.in-addr.arpa.', data: 'www.example.org.' },
});
