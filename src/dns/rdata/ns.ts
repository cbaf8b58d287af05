import { hostName } from './fields.js';
import { RdataError, recordType } from './record-type.js';

/** RFC 1035 §3.3.11 — a name server of a zone; RFC 1034 §4.2.1 — below the apex it delegates the zone that begins there. */
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
