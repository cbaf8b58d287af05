import { latin1 } from './character-string.js';
import { characterString, type Field, remainingText, uint8 } from './fields.js';
import { RdataError, recordType } from './record-type.js';

/**
 * RFC 8659 §4.1 — the property's name. It is the same in either case, and NSD 4.6 loads only lower case and 15 characters
 * (the limit of RFC 6844), so this is how it is stored.
 */
const tag: Field<Uint8Array> = {
  ...characterString('tag'),
  parse: (tokens) => Buffer.from(tokens.unquoted('tag').toLowerCase()),
  print: latin1,
  check(value) {
    if (!/^[0-9a-z]{1,15}$/.test(latin1(value))) {
      throw new RdataError('the tag must have 1 to 15 lower-case letters and digits');
    }
  },
};

/** RFC 8659 §4 — who may issue certificates for the domain. */
export const CAA = recordType({
  name: 'CAA',
  code: 257,
  rfc: 'RFC 8659 §4',
  fields: [uint8('flags'), tag, remainingText('value')],
  example: { name: 'example.org.', data: '0 issue "ca.example.org"' },
});
