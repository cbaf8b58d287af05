import { domainName } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 1183 §2.2 — the person responsible: a mailbox, and the name of a TXT record; `.` stands for none. */
export const RP = recordType({
  name: 'RP',
  code: 17,
  rfc: 'RFC 1183 §2.2',
  fields: { mailbox: domainName, text: domainName },
  example: { name: 'host.example.org.', data: 'admin.example.org. admin-info.example.org.' },
});
