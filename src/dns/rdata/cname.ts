import { domainName } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 1035 §3.3.1 — the canonical name of an alias. */
export const CNAME = recordType({
  name: 'CNAME',
  code: 5,
  rfc: 'RFC 1035 §3.3.1',
  fields: [domainName('target')],
  example: { name: 'alias.example.org.', data: 'www.example.org.' },
});
