import { latin1 } from './character-string.js';
import { type Field, remainingText, uint16 } from './fields.js';
import { RdataError, recordType } from './record-type.js';

/** RFC 7553 §4.4: in quotes, for BIND and ldns load it no other way. */
const target: Field<Uint8Array> = {
  ...remainingText('target'),
  parse(items) {
    if (!items.origin && items.peek()?.quoted === false) throw new RdataError('the target must stand in quotes');
    return remainingText('target').parse(items);
  },
  check(value) {
    if (!/^[!-~]+$/.test(latin1(value))) {
      throw new RdataError('the target must be a URI: one printable ASCII character or more, the others as %hh');
    }
  },
};

/** RFC 7553 §4 — the address of a service. */
export const URI = recordType({
  name: 'URI',
  code: 256,
  rfc: 'RFC 7553 §4',
  fields: [uint16('priority'), uint16('weight'), target],
  example: { name: '_ftp._tcp.example.org.', data: '10 1 "ftp://ftp.example.org/public"' },
});
