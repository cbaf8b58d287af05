import { domainName, uint32 } from './fields.js';
import { period } from './period.js';
import { recordType } from './record-type.js';

/** RFC 1035 §3.3.13 — the start of a zone. The service writes it; nobody creates it by hand. */
export const SOA = recordType({
  name: 'SOA',
  code: 6,
  rfc: 'RFC 1035 §3.3.13',
  fields: [
    domainName('primary'),
    domainName('mailbox'),
    uint32('serial'),
    period('refresh'),
    period('retry'),
    period('expire'),
    period('minimum'),
  ],
  example: { name: 'example.org.', data: 'ns1.example.org. hostmaster.example.org. 1 3600 600 86400 300' },
});
