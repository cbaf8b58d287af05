import { domainName, uint32 } from './fields.js';
import { period } from './period.js';
import { recordType } from './record-type.js';

/** RFC 1035 §3.3.13 — the start of a zone. The service makes it; users change the zone instead. */
export const SOA = recordType({
  name: 'SOA',
  code: 6,
  rfc: 'RFC 1035 §3.3.13',
  fields: {
    primary: domainName,
    mailbox: domainName,
    serial: uint32,
    refresh: period,
    retry: period,
    expire: period,
    minimum: period,
  },
  example: { name: 'example.org.', data: 'ns1.example.org. hostmaster.example.org. 1 3600 600 86400 300' },
});
