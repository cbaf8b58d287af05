import { assertDigest, SHA1_LENGTH, SHA256_LENGTH, SHA384_LENGTH } from './digest.js';
import { RdataError } from './rdata-error.js';

/** IANA, DNS Security Algorithm Numbers: those that may sign a zone, with the names that master files may use for them. */
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

/** Knot 3.2 loads no DS with another digest type, so nobody may export one. */
const DIGEST_LENGTHS: ReadonlyMap<number, number> = new Map([
  [1, SHA1_LENGTH],
  [2, SHA256_LENGTH],
  [4, SHA384_LENGTH],
]);

/** RFC 6605 §4, RFC 8080 §3: the algorithms whose keys have one length. */
const KEY_LENGTHS: ReadonlyMap<number, number> = new Map([
  [13, 64],
  [14, 96],
  [15, 32],
  [16, 57],
]);

/**
 * RFC 4034 §A.1.1: their keys begin with a name or an OID. BIND takes any such key as text and refuses a transfer that has
 * it in octets, so one would stop the zone.
 */
const PRIVATE_ALGORITHMS = new Set([253, 254]);

const KNOWN_ALGORITHMS = new Set(ALGORITHMS.values());

/** What a DS record may say, and a CDS record, which the parent turns into one. */
export function assertDelegationSigner(algorithm: number, digestType: number, digest: Uint8Array): void {
  assertAlgorithm(algorithm);
  const length = DIGEST_LENGTHS.get(digestType);
  if (length === undefined) {
    throw new RdataError(
      `digest type ${digestType} is not understood everywhere: use one of ${[...DIGEST_LENGTHS.keys()].join(', ')}`,
    );
  }
  assertDigest(digest, length, 'digest');
}

export function assertPublicKey(algorithm: number, key: Uint8Array): void {
  assertAlgorithm(algorithm);
  if (PRIVATE_ALGORITHMS.has(algorithm)) {
    throw new RdataError(`algorithm ${algorithm} is private: use one that every name server knows, such as 13`);
  }
  const length = KEY_LENGTHS.get(algorithm) ?? key.length;
  if (key.length !== length) {
    throw new RdataError(`the key has ${key.length} octets: keys of algorithm ${algorithm} have ${length}`);
  }
}

function assertAlgorithm(algorithm: number): void {
  if (!KNOWN_ALGORITHMS.has(algorithm)) {
    throw new RdataError(`algorithm ${algorithm} signs no zones: use one of ${[...KNOWN_ALGORITHMS].join(', ')}`);
  }
}
