import type { Field } from './field.js';
import { remainingText, uint16 } from './fields.js';
import { RdataError, recordType } from './record-type.js';

/** RFC 7553 §4.4: one octet or more, whatever they are. In quotes, because BIND and ldns load it no other way. */
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

/** RFC 7553 §4 — the address of a service. */
export const URI = recordType({
  name: 'URI',
  code: 256,
  rfc: 'RFC 7553 §4',
  fields: { priority: uint16, weight: uint16, target },
  example: { name: '_ftp._tcp.example.org.', data: '10 1 "ftp://ftp.example.org/public"' },
});
