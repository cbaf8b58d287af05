import { hostName, uint16, remainingText } from './fields.js';
import { recordType } from './record-type.js';
import { isServiceLabel, isWildcardLabel } from '../labels.js';
import type { OwnerRule } from '../owner-name.js';
import type { Field } from './field.js';
import { RdataError } from './rdata-error.js';

/** RFC 7505 §3: `.` alone means no mail exchanger. Its preference should be 0, but name servers load any. */
export const MX = recordType({
  name: 'MX',
  code: 15,
  rfc: 'RFC 1035 §3.3.9',
  fields: { preference: uint16, exchange: hostName },
  priority: 'preference',
  placement: { exclusive: { name: 'a null MX', includes: ({ exchange }) => exchange.labelCount === 0 } },
  targets: ['exchange'],
  hasHostOwner: true,
  example: { name: 'example.org.', data: 'mail.example.org.', priority: 10 },
});

/** RFC 2782 has wildcards in its example, and name servers load SRV at any name. */
const serviceName: OwnerRule = {
  form: 'begin with a service and a protocol, like "_sip._tcp.", or with a wildcard',
  isOfNewNames: true,
  allows: ({ labels: [service, protocol, ...host] }) =>
    isWildcardLabel(service) || (isServiceLabel(service) && isServiceLabel(protocol) && host.length > 0),
};

/** The target `.` denies the service. */
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

/** RFC 7553 §4.4: one or more octets, in quotes: BIND and ldns load no other form. */
const target: Field<Uint8Array> = {
  ...remainingText,
  form: 'URI in quotes',
  parse(tokens, label) {
    if (!tokens.origin && tokens.peek()?.quoted === false)
      throw new RdataError('the target stands without quotes: put it in quotes');
    return remainingText.parse(tokens, label);
  },
  check(value, label) {
    if (value.length === 0) throw new RdataError(`the ${label} is empty: write a URI`);
  },
};

export const URI = recordType({
  name: 'URI',
  code: 256,
  rfc: 'RFC 7553 §4',
  fields: { priority: uint16, weight: uint16, target },
  example: { name: '_ftp._tcp.example.org.', data: '10 1 "ftp://ftp.example.org/public"' },
});
