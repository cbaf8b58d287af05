import { assertDigest, SHA1_LENGTH, SHA256_LENGTH } from './digest.js';
import { uint8In, ungroupedHex } from './fields.js';
import { recordType } from './record-type.js';

/** IANA: RSA, DSA, ECDSA, Ed25519, Ed448. */
const ALGORITHMS = [1, 2, 3, 4, 6];
const DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, SHA1_LENGTH],
  [2, SHA256_LENGTH],
]);

/** RFC 4255 §3.1 — the fingerprint of a host's SSH key. */
export const SSHFP = recordType({
  name: 'SSHFP',
  code: 44,
  rfc: 'RFC 4255 §3.1',
  fields: {
    algorithm: uint8In(ALGORITHMS),
    fingerprintType: uint8In([...DIGEST_LENGTHS.keys()]),
    fingerprint: ungroupedHex,
  },
  check: ({ fingerprintType, fingerprint }) =>
    assertDigest(fingerprint, DIGEST_LENGTHS.get(fingerprintType), 'fingerprint'),
  example: { name: 'host.example.org.', data: '4 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' },
});
