import { assertDigest, SHA256_LENGTH, SHA512_LENGTH } from './digest.js';
import { hex, uint8In } from './fields.js';
import { recordType, type RecordType } from './record-type.js';

/** RFC 6698 §2.1, RFC 7218 §2: the IANA numbers with their acronyms, 255 for private use. */
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

/** The values of TLSA and SMIMEA. */
export interface CertificateAssociation {
  readonly usage: number;
  readonly selector: number;
  readonly matchingType: number;
  readonly certificateData: Uint8Array;
}

/** Makes TLSA and SMIMEA, which say by which certificate to know a service. Clients ignore numbers that they do not know. */
export function certificateAssociationType(
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
