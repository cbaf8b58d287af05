import { base64 } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 7929 §2.1 — the OpenPGP key of a mail address, whose local part is hashed into the owner name. */
export const OPENPGPKEY = recordType({
  name: 'OPENPGPKEY',
  code: 61,
  rfc: 'RFC 7929 §2.1',
  fields: { key: base64 },
  example: {
    name: 'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._openpgpkey.example.org.',
    data: 'mQINBFit2jsBEADr',
  },
});
