import { domainName, hostName, uint16 } from './fields.js';
import { RdataError } from './rdata-error.js';
import { plainType, recordType } from './record-type.js';

/** RFC 1034 §3.6.2 forbids other types at its name. */
export const CNAME = recordType({
  name: 'CNAME',
  code: 5,
  rfc: 'RFC 1035 §3.3.1',
  fields: { target: domainName },
  placement: { isAlone: true, isSingle: true, notAtApex: 'SOA and NS stand there, and a CNAME stands alone' },
  role: 'alias',
  example: { name: 'alias.example.org.', data: 'www.example.org.' },
});

export const DNAME = recordType({
  name: 'DNAME',
  code: 39,
  rfc: 'RFC 6672 §2.1',
  fields: { target: domainName },
  // RFC 6672 §2.3, §2.4.
  placement: { isSingle: true, notBeside: ['NS'], nothingBelow: 'redirects everything below its name' },
  example: { name: 'old.example.org.', data: 'new.example.org.' },
});

/** Below the apex, a delegation (RFC 1034 §4.2.1). */
export const NS = recordType({
  name: 'NS',
  code: 2,
  rfc: 'RFC 1035 §3.3.11',
  fields: { nameServer: hostName },
  check({ nameServer }) {
    if (nameServer.labelCount === 0)
      throw new RdataError('"." is not a name server: write its host name', 'data', 'nameServer');
  },
  // RFC 4592 §4.2 gives NS at a wildcard no meaning, and BIND refuses the zone.
  placement: { notAtWildcard: 'a delegation has one name', isAtZoneCut: true },
  targets: ['nameServer'],
  role: 'delegation',
  example: { name: 'child.example.org.', data: 'ns1.example.org.' },
});

export const PTR = plainType('PTR', 12, 'RFC 1035 §3.3.12', '1.2.0.192.in-addr.arpa. www.example.org.', {
  name: domainName,
});

/** Host of a mailbox. */
export const MB = nameType('MB', 7, 'RFC 1035 §3.3.3', 'user.example.org.');

/** Member of a mail group. */
export const MG = nameType('MG', 8, 'RFC 1035 §3.3.6', 'list.example.org.');

/** New name of a mailbox. */
export const MR = nameType('MR', 9, 'RFC 1035 §3.3.8', 'former.example.org.');

/** Mailboxes for requests to a mail list and for its errors. */
export const MINFO = recordType({
  name: 'MINFO',
  code: 14,
  rfc: 'RFC 1035 §3.3.7',
  fields: { responsibleMailbox: domainName, errorMailbox: domainName },
  example: { name: 'list.example.org.', data: 'owner.example.net. errors.example.net.' },
});

/** Name of an NSAP address. */
export const NSAP_PTR = nameType('NSAP-PTR', 23, 'RFC 1348', 'address.example.org.');

/** Host that exchanges keys for the owner. */
export const KX = plainType('KX', 36, 'RFC 2230 §3', 'host.example.org. 10 kx.example.org.', {
  preference: uint16,
  exchanger: domainName,
});

/** Neighbors in a linked list of trust anchor names. */
export const TALINK = recordType({
  name: 'TALINK',
  code: 58,
  rfc: 'IANA TALINK/talink-completed-template',
  fields: { previous: domainName, next: domainName },
  example: { name: 'c.example.org.', data: 'a.example.net. e.example.net.' },
});

function nameType(name: string, code: number, rfc: string, owner: string) {
  return plainType(name, code, rfc, `${owner} host.example.net.`, { name: domainName });
}
