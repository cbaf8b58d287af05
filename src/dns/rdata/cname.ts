import { domainName } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 1035 §3.3.1 — the canonical name of an alias; RFC 1034 §3.6.2 — nothing stands beside it. */
export const CNAME = recordType({
  name: 'CNAME',
  code: 5,
  rfc: 'RFC 1035 §3.3.1',
  fields: { target: domainName },
  placement: { isAlone: true, isSingle: true, notAtApex: 'SOA and NS stand there, and a CNAME stands alone' },
  role: 'alias',
  example: { name: 'alias.example.org.', data: 'www.example.org.' },
});
