import { domainName } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 6672 §2.1 — the name that everything below this one is redirected to. */
export const DNAME = recordType({
  name: 'DNAME',
  code: 39,
  rfc: 'RFC 6672 §2.1',
  fields: [domainName('target')],
  example: { name: 'old.example.org.', data: 'new.example.org.' },
});
