import { latin1, MAX_STRING } from './character-string.js';
import type { Field } from './field.js';
import { characterString, domainName, uint16 } from './fields.js';
import { textForm } from './json-form.js';
import { isSubstitution } from './naptr-substitution.js';
import { RdataError, recordType } from './record-type.js';

/** RFC 3403 §4.1 — single letters and digits that say what comes next. */
const flags: Field<Uint8Array> = {
  ...characterString,
  form: 'text of letters and digits',
  json: {
    ...textForm(MAX_STRING),
    values: [
      { value: '', label: 'another NAPTR record comes next' },
      { value: 'S', label: 'SRV records come next' },
      { value: 'A', label: 'addresses come next' },
      { value: 'U', label: 'the result is a URI' },
      { value: 'P', label: 'the application says what comes next' },
    ],
  },
  check(value) {
    if (!/^[0-9A-Za-z]*$/.test(latin1(value)))
      throw new RdataError('the flags have another character: use letters and digits only');
  },
};

/** RFC 3402 §3.2. BIND checks it in files and transfers: one malformed expression would stop the whole zone. */
const regexp: Field<Uint8Array> = {
  ...characterString,
  form: 'substitution expression, or empty',
  check(value) {
    if (value.length > 0 && !isSubstitution(value)) {
      throw new RdataError(
        'the regexp is not a substitution: write it like "!^.*$!sip:info@example.org!" (RFC 3402 §3.2)',
      );
    }
  },
};

/**
 * RFC 3403 §4 — a rule that rewrites an application's string into the next name or address. What to do with one that has
 * both a regexp and a replacement, §4.1 leaves to those who read it: name servers serve it, and zones that have it are taken in.
 */
export const NAPTR = recordType({
  name: 'NAPTR',
  code: 35,
  rfc: 'RFC 3403 §4',
  fields: {
    order: uint16,
    preference: uint16,
    flags,
    services: characterString,
    regexp,
    replacement: domainName,
  },
  example: { name: 'example.org.', data: '100 10 "S" "SIP+D2U" "" _sip._udp.example.org.' },
});
