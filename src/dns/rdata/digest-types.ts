import { assertDigest, SHA256_LENGTH, SHA512_LENGTH, SHA1_LENGTH } from './digest.js';
import { hex, uint8In, ungroupedHex } from './fields.js';
import { recordType, type RecordType } from './record-type.js';

/** RFC 6698 §2.1, RFC 7218 §2: IANA numbers with their acronyms, 255 for private use. */
const USAGES: ReadonlyMap<number, string> = new Map([
  [0, 'PKIX-TA'],
  [1, 'PKIX-EE'],
  [2, 'DANE-TA'],
  [3, 'DANE-EE'],
  [255, 'PrivCert'],
]);
const SELECTORS: ReadonlyMap<number, string> = new Map([
  [0, 'Cert'],
  [1, 'SPKI'],
  [255, 'PrivSel'],
]);
const MATCHING_TYPES: ReadonlyMap<number, string> = new Map([
  [0, 'Full'],
  [1, 'SHA2-256'],
  [2, 'SHA2-512'],
  [255, 'PrivMatch'],
]);
const DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, SHA256_LENGTH],
  [2, SHA512_LENGTH],
]);

export interface CertificateAssociation {
  readonly usage: number;
  readonly selector: number;
  readonly matchingType: number;
  readonly certificateData: Uint8Array;
}

export const TLSA = certificateAssociationType(
  { name: 'TLSA', code: 52, rfc: 'RFC 6698 §2.1' },
  '_443._tcp.www.example.org.',
);

/** Certificate of a mail address. The owner name has a hash of the local part. */
export const SMIMEA = certificateAssociationType(
  { name: 'SMIMEA', code: 53, rfc: 'RFC 8162 §2' },
  'c93f1e400f26708f98cb19d936620da35eec8f72e57f9eec01c1afd6._smimecert.example.org.',
);

/** Clients ignore unknown numbers. */
function certificateAssociationType(
  about: Pick<RecordType, 'name' | 'code' | 'rfc'>,
  owner: string,
): RecordType<CertificateAssociation> {
  return recordType({
    ...about,
    fields: {
      usage: uint8In(USAGES),
      selector: uint8In(SELECTORS),
      matchingType: uint8In(MATCHING_TYPES),
      certificateData: hex,
    },
    check: ({ matchingType, certificateData }) =>
      assertDigest(certificateData, DIGEST_LENGTHS.get(matchingType), 'certificate data', 'certificateData'),
    example: { name: owner, data: '3 1 1 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' },
  });
}

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
const FINGERPRINT_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, SHA1_LENGTH],
  [2, SHA256_LENGTH],
]);

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
    assertDigest(fingerprint, FINGERPRINT_LENGTHS.get(fingerprintType), 'fingerprint'),
  example: { name: 'host.example.org.', data: '4 2 0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef' },
});
