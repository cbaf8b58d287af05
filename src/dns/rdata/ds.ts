import { algorithm, assertDelegationSigner, digestType } from './dnssec.js';
import { hex, uint16 } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 4034 §5.1 — the digest of the key that signs the delegated zone; RFC 4035 §2.4 — it stands in the zone above. */
export const DS = recordType({
  name: 'DS',
  code: 43,
  rfc: 'RFC 4034 §5.1',
  fields: { keyTag: uint16, algorithm, digestType, digest: hex },
  check: ({ digestType, digest }) => assertDelegationSigner(digestType, digest),
  placement: {
    notAtApex: 'it stands in the parent zone, beside the NS records that delegate this one',
    isAtZoneCut: true,
    needs: { type: 'NS', otherwise: 'nothing is delegated there' },
  },
  example: {
    name: 'child.example.org.',
    data: '60485 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  },
});
