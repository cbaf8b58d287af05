import { hostName, uint16 } from './fields.js';
import { recordType } from './record-type.js';

/**
 * RFC 1035 §3.3.9 — a mail exchanger. RFC 7505 §3 — `.` says that there is none, and so stands alone. Its preference should
 * be 0, but name servers load any.
 */
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
