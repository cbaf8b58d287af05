import { assertDigest, GOST_LENGTH, SHA1_LENGTH, SHA256_LENGTH, SHA384_LENGTH, SM3_LENGTH } from './digest.js';
import { uint8, withMeanings, withMnemonics } from './number-fields.js';
import type { NeededType } from './placement.js';
import { RdataError } from './rdata-error.js';

/** The algorithms that may sign a zone, by their mnemonics (IANA, DNS Security Algorithm Numbers). */
export const ALGORITHMS: ReadonlyMap<string, number> = new Map([
  ['DSA', 3],
  ['RSASHA1', 5],
  ['DSA-NSEC3-SHA1', 6],
  ['RSASHA1-NSEC3-SHA1', 7],
  ['RSASHA256', 8],
  ['RSASHA512', 10],
  ['ECC-GOST', 12],
  ['ECDSAP256SHA256', 13],
  ['ECDSAP384SHA384', 14],
  ['ED25519', 15],
  ['ED448', 16],
  ['SM2SM3', 17],
  ['ECC-GOST12', 23],
  ['PRIVATEDNS', 253],
  ['PRIVATEOID', 254],
]);

/** With which a child zone asks its parent to end DNSSEC (RFC 8078 §4). */
const NONE: readonly [number, string] = [0, 'none'];
const DIGEST_TYPES: readonly (readonly [number, string])[] = [
  [1, 'SHA-1'],
  [2, 'SHA-256'],
  [3, 'GOST R 34.11-94'],
  [4, 'SHA-384'],
  [5, 'GOST R 34.11-2012'],
  [6, 'SM3'],
];
const ALGORITHM_NAMES = [...ALGORITHMS].map(([name, number]) => [number, name] as const);
const PUBLIC_ALGORITHMS = ALGORITHM_NAMES.filter(([number]) => number < 253);
const anyAlgorithm = withMnemonics(uint8, ALGORITHMS);

/** The algorithm of a key that signs a zone. */
export const algorithm = withMeanings(anyAlgorithm, new Map(ALGORITHM_NAMES));
export const algorithmOrNone = withMeanings(anyAlgorithm, new Map([NONE, ...ALGORITHM_NAMES]));
export const publicAlgorithmOrNone = withMeanings(anyAlgorithm, new Map([NONE, ...PUBLIC_ALGORITHMS]));
export const digestType = withMeanings(uint8, new Map(DIGEST_TYPES));
export const digestTypeOrNone = withMeanings(uint8, new Map([NONE, ...DIGEST_TYPES]));

/**
 * In octets, by digest type (RFC 4034, 4509, 5933, 6605, 9558 and 9563). BIND refuses a zone with another length of types 1, 2
 * and 4. BIND, Knot and NSD load every other type at any length; only kzonecheck and Knot with `semantic-checks` on a zone
 * file refuse them.
 */
const DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, SHA1_LENGTH],
  [2, SHA256_LENGTH],
  [3, GOST_LENGTH],
  [4, SHA384_LENGTH],
  [5, GOST_LENGTH],
  [6, SM3_LENGTH],
]);

/** In octets, for the algorithms whose keys all have one length (RFC 6605 §4, RFC 8080 §3). */
const KEY_LENGTHS: ReadonlyMap<number, number> = new Map([
  [13, 64],
  [14, 96],
  [15, 32],
  [16, 57],
]);

/**
 * RFC 4034 §A.1.1: their keys begin with a name or an OID. BIND loads any such key from a file but refuses malformed ones in
 * a transfer, so that one of them would stop the zone.
 */
const PRIVATE_ALGORITHMS = new Set([253, 254]);

/**
 * What CDS and CDNSKEY refer to: one of the keys of their own zone. BIND looks for it in files, not in transfers. Algorithm 0
 * asks for the end of DNSSEC and refers to no key (RFC 8078 §4).
 */
export const NEEDS_DNSKEY: NeededType<{ readonly algorithm: number }> = {
  type: 'DNSKEY',
  otherwise: 'BIND refuses a zone file with it',
  atApexOnly: true,
  isNeededBy: ({ algorithm }) => algorithm !== 0,
};

/**
 * Checks the values of a DS record, or of a CDS record, from which the parent makes one.
 * @throws RdataError
 */
export function assertDelegationSigner(digestType: number, digest: Uint8Array): void {
  if (digestType === 0) {
    throw new RdataError(
      'digest type 0 is reserved, and only the CDS "0 0 0 00" has it: use 2 with a digest of 32 octets',
      'data',
      'digestType',
    );
  }
  if (digest.length === 0) {
    throw new RdataError('the digest is empty: BIND refuses such a zone, give at least one octet', 'data', 'digest');
  }
  assertDigest(digest, DIGEST_LENGTHS.get(digestType), 'digest');
}

/**
 * Checks the values of a CDNSKEY record.
 * @throws RdataError
 */
export function assertPublicKey(algorithm: number, key: Uint8Array): void {
  if (algorithm === 0) {
    const message = 'algorithm 0 asks the parent to end DNSSEC: write the whole record as 0 3 0 AA==';
    throw new RdataError(message, 'data', 'algorithm');
  }
  if (PRIVATE_ALGORITHMS.has(algorithm)) {
    const message = `algorithm ${algorithm} is private: use one that every name server knows, such as 13`;
    throw new RdataError(message, 'data', 'algorithm');
  }
  const length = KEY_LENGTHS.get(algorithm) ?? key.length;
  if (key.length !== length) {
    const message = `the key has ${key.length} octets: keys of algorithm ${algorithm} have ${length}`;
    throw new RdataError(message, 'data', 'publicKey');
  }
}
