import { algorithmOrNone, assertDelegationSigner, digestTypeOrNone, NEEDS_DNSKEY } from './dnssec.js';
import { hex, uint16 } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 7344 §3.1 — the DS record that the parent shall have; `0 0 0 00` asks it to have none (RFC 8078 §4). */
export const CDS = recordType({
  name: 'CDS',
  code: 59,
  rfc: 'RFC 7344 §3.1',
  fields: { keyTag: uint16, algorithm: algorithmOrNone, digestType: digestTypeOrNone, digest: hex },
  check({ keyTag, algorithm, digestType, digest }) {
    const asksForNone = keyTag === 0 && algorithm === 0 && digestType === 0 && digest.length === 1 && digest[0] === 0;
    if (!asksForNone) assertDelegationSigner(digestType, digest);
  },
  placement: { needs: NEEDS_DNSKEY },
  example: {
    name: 'example.org.',
    data: '60485 13 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef',
  },
});
