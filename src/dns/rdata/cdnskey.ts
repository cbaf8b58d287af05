import { ALGORITHMS, assertPublicKey } from './dnssec.js';
import { base64, uint16, uint8, withMnemonics } from './fields.js';
import { recordType } from './record-type.js';

/** RFC 4034 §2.1.2: the only protocol there is. */
const DNSSEC_PROTOCOL = 3;

/** RFC 7344 §3.2 — the key that the parent shall make its DS record from; `0 3 0 AA==` asks it to have none (RFC 8078 §4). */
export const CDNSKEY = recordType({
  name: 'CDNSKEY',
  code: 60,
  rfc: 'RFC 7344 §3.2',
  fields: [
    uint16('flags'),
    uint8('protocol', [DNSSEC_PROTOCOL]),
    withMnemonics(uint8('algorithm'), ALGORITHMS),
    base64('public key'),
  ],
  check([flags, , algorithm, key]) {
    const asksForNone = flags === 0 && algorithm === 0 && key.length === 1 && key[0] === 0;
    if (!asksForNone) assertPublicKey(algorithm, key);
  },
  example: { name: 'example.org.', data: '257 3 15 l02Woi0iS8Aa25FQkUd9RMzZHJpBoRQwAQEX1SxZJA4=' },
});
