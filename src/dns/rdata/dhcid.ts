import { base64 } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 4701 §3 — which DHCP client a name belongs to, as a digest that DHCP servers compare (RFC 4703). */
export const DHCID = recordType({
  name: 'DHCID',
  code: 49,
  rfc: 'RFC 4701 §3',
  fields: { digest: base64 },
  example: { name: 'chi6.example.org.', data: 'AAIBY2/AuCccgoJbsaxcQc9TUapptP69lOjxfNuVAA2kjEA=' },
});
