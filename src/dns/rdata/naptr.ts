import { latin1 } from './character-string.js';
import { characterString, domainName, type Field, uint16 } from './fields.js';
import { isSubstitution } from './naptr-substitution.js';
import { RdataError, recordType } from './record-type.js';

/** RFC 3403 §4.1 — single letters and digits that say what comes next. */
const flags: Field<Uint8Array> = {
  ...characterString('flags'),
  check(value) {
    if (!/^[0-9A-Za-z]*$/.test(latin1(value))) throw new RdataError('the flags may only be letters and digits');
  },
};

/** BIND checks this field wherever it meets it: one bad expression would stop the zone from loading or being transferred. */
const regexp: Field<Uint8Array> = {
  ...characterString('regexp'),
  check(value) {
    if (value.length > 0 && !isSubstitution(value)) {
      throw new RdataError(
        'the regexp is no substitution: write it like "!^.*$!sip:info@example.org!" (RFC 3402 §3.2)',
      );
    }
  },
};

/** RFC 3403 §4 — a rule that rewrites an application's string into the next name or address. */
export const NAPTR = recordType({
  name: 'NAPTR',
  code: 35,
  rfc: 'RFC 3403 §4',
  fields: [
    uint16('order'),
    uint16('preference'),
    flags,
    characterString('services'),
    regexp,
    domainName('replacement'),
  ],
  check([, , , , expression, replacement]) {
    if (expression.length > 0 && replacement.labelCount > 0) {
      throw new RdataError('the record has a regexp and a replacement: leave one empty, "" or .');
    }
  },
  example: { name: 'example.org.', data: '100 10 "S" "SIP+D2U" "" _sip._udp.example.org.' },
});
