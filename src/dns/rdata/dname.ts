import { domainName } from './fields.js';
import { recordType } from './record-type.js';

/**
 * RFC 6672 §2.1 — the name that everything below this one is redirected to. §2.3, §2.4: a name has one, nothing stands
 * below it, and NS stands beside it at the apex only.
 */
export const DNAME = recordType({
  name: 'DNAME',
  code: 39,
  rfc: 'RFC 6672 §2.1',
  fields: { target: domainName },
  placement: { isSingle: true, notBeside: ['NS'], nothingBelow: 'redirects everything below its name' },
  example: { name: 'old.example.org.', data: 'new.example.org.' },
});
