import { assertPublicKey, NEEDS_DNSKEY, publicAlgorithmOrNone } from './dnssec.js';
import { base64, uint16, uint8In } from './fields.js';
import { withMeanings } from './number-fields.js';
import { recordType } from './record-type.js';

/** RFC 4034 §2.1.1. */
const FLAGS: ReadonlyMap<number, string> = new Map([
  [257, 'key signing key'],
  [256, 'zone signing key'],
  [0, 'none'],
]);
/** RFC 4034 §2.1.2: the only protocol there is. */
const PROTOCOLS: ReadonlyMap<number, string> = new Map([[3, 'DNSSEC']]);

/** RFC 7344 §3.2 — the key that the parent shall make its DS record from; `0 3 0 AA==` asks it to have none (RFC 8078 §4). */
export const CDNSKEY = recordType({
  name: 'CDNSKEY',
  code: 60,
  rfc: 'RFC 7344 §3.2',
  fields: {
    flags: withMeanings(uint16, FLAGS),
    protocol: uint8In(PROTOCOLS),
    algorithm: publicAlgorithmOrNone,
    publicKey: base64,
  },
  check({ flags, algorithm, publicKey }) {
    const asksForNone = flags === 0 && algorithm === 0 && publicKey.length === 1 && publicKey[0] === 0;
    if (!asksForNone) assertPublicKey(algorithm, publicKey);
  },
  placement: { needs: NEEDS_DNSKEY },
  example: { name: 'example.org.', data: '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=' },
});
