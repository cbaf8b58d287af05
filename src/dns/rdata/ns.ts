import { hostName } from './fields.js';
import { RdataError, recordType } from './record-type.js';

/** RFC 1035 §3.3.11 — a name server. */
export const NS = recordType({
  name: 'NS',
  code: 2,
  rfc: 'RFC 1035 §3.3.11',
  fields: [hostName('name server')],
  check([server]) {
    if (server.labelCount === 0) throw new RdataError('"." is no name server: write its host name');
  },
  example: { name: 'child.example.org.', data: 'ns1.example.org.' },
});
