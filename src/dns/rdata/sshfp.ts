import { assertDigest, SHA1_LENGTH, SHA256_LENGTH } from './digest.js';
import { uint8In, ungroupedHex } from './fields.js';
import { recordType } from './record-type.js';

/** IANA, SSHFP RR Types for public key algorithms. */
const ALGORITHMS: ReadonlyMap<number, string> = new Map([
  [1, 'RSA'],
  [2, 'DSA'],
  [3, 'ECDSA'],
  [4, 'Ed25519'],
  [6, 'Ed448'],
]);
const FINGERPRINT_TYPES: ReadonlyMap<number, string> = new Map([
  [1, 'SHA-1'],
  [2, 'SHA-256'],
]);
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
    fingerprintType: uint8In(FINGERPRINT_TYPES),
    fingerprint: ungroupedHex,
  },
  check: ({ fingerprintType, fingerprint }) =>
    assertDigest(fingerprint, DIGEST_LENGTHS.get(fingerprintType), 'fingerprint'),
  example: { name: 'host.example.org.', data: '4 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' },
});
