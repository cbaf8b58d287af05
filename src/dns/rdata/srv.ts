import { hostName, uint16 } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 2782 — weight, port and target of a service; `.` as target says that there is no such service. */
export const SRV = recordType({
  name: 'SRV',
  code: 33,
  rfc: 'RFC 2782',
  priority: 'required',
  fields: [uint16('weight'), uint16('port'), hostName('target')],
  example: { name: '_sip._tcp.example.org.', data: '5 5060 sip.example.org.', priority: 10 },
});
