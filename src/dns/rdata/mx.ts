import { hostName } from './fields.js';
import { RdataError, recordType } from './record-type.js';

/** RFC 1035 §3.3.9 — the exchanger; its preference travels in `priority`. */
export const MX = recordType({
  name: 'MX',
  code: 15,
  rfc: 'RFC 1035 §3.3.9',
  priority: 'required',
  fields: [hostName('exchanger')],
  check([exchanger], priority) {
    const isNullMx = exchanger.labelCount === 0;
    if (isNullMx && priority !== 0) {
      throw new RdataError('"." says that there is no mail here (RFC 7505): give it priority 0', 'priority');
    }
  },
  example: { name: 'example.org.', data: 'mail.example.org.', priority: 10 },
});
