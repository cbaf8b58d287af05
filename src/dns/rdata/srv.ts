import { isServiceLabel, isWildcardLabel } from '../labels.js';
import type { OwnerRule } from '../owner-name.js';
import { hostName, uint16 } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 2782 has wildcards in its example, and name servers load SRV at any name. */
const serviceName: OwnerRule = {
  form: 'begin with a service and a protocol, like "_sip._tcp.", or with a wildcard',
  isOfNewNames: true,
  allows: ({ labels: [service, protocol, ...host] }) =>
    isWildcardLabel(service) || (isServiceLabel(service) && isServiceLabel(protocol) && host.length > 0),
};

/** RFC 2782 — host and port of a service; `.` as target says that there is no such service. */
export const SRV = recordType({
  name: 'SRV',
  code: 33,
  rfc: 'RFC 2782',
  fields: { priority: uint16, weight: uint16, port: uint16, target: hostName },
  priority: 'priority',
  owner: serviceName,
  targets: ['target'],
  example: { name: '_sip._tcp.example.org.', data: '5 5060 sip.example.org.', priority: 10 },
});
