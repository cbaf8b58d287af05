import { domainName } from './fields.js';
import { recordType, type RecordType } from './record-type.js';

/** The experimental mail types of RFC 1035, and other types that have nothing but one name. */
function nameType(name: string, code: number, rfc: string, example: RecordType['example']['name']) {
  return recordType({
    name,
    code,
    rfc,
    fields: { name: domainName },
    example: { name: example, data: 'host.example.net.' },
  });
}

/** RFC 1035 §3.3.3 — the host of a mailbox. */
export const MB = nameType('MB', 7, 'RFC 1035 §3.3.3', 'user.example.org.');

/** RFC 1035 §3.3.6 — a member of a mail group. */
export const MG = nameType('MG', 8, 'RFC 1035 §3.3.6', 'list.example.org.');

/** RFC 1035 §3.3.8 — the new name of a mailbox. */
export const MR = nameType('MR', 9, 'RFC 1035 §3.3.8', 'former.example.org.');

/** RFC 1035 §3.3.7 — who is responsible for a mailbox, and where its errors go. */
export const MINFO = recordType({
  name: 'MINFO',
  code: 14,
  rfc: 'RFC 1035 §3.3.7',
  fields: { responsibleMailbox: domainName, errorMailbox: domainName },
  example: { name: 'list.example.org.', data: 'owner.example.net. errors.example.net.' },
});

/** RFC 1348 §3.2 — the name of an NSAP address. */
export const NSAP_PTR = nameType('NSAP-PTR', 23, 'RFC 1348', 'address.example.org.');
