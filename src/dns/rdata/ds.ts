import { ALGORITHMS, assertDelegationSigner } from './dnssec.js';
import { hex, uint16, uint8, withMnemonics } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 4034 §5.1 — the digest of the key that signs the delegated zone. */
export const DS = recordType({
  name: 'DS',
  code: 43,
  rfc: 'RFC 4034 §5.1',
  fields: [uint16('key tag'), withMnemonics(uint8('algorithm'), ALGORITHMS), uint8('digest type'), hex('digest')],
  check: ([, algorithm, digestType, digest]) => assertDelegationSigner(algorithm, digestType, digest),
  example: {
    name: 'child.example.org.',
    data: '60485 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  },
});
