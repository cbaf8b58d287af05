import { RdataError } from './rdata-error.js';

/** Octets that the digests of the record types have. */
export const SHA1_LENGTH = 20;
export const SHA256_LENGTH = 32;
export const SHA384_LENGTH = 48;
export const SHA512_LENGTH = 64;

/** Only BIND counts the octets of a digest, and of some types nobody: a cut one would be served and never match. */
export function assertDigest(digest: Uint8Array, length: number | undefined, label: string): void {
  if (length === undefined || digest.length === length) return;
  throw new RdataError(`the ${label} has ${digest.length} octets: this type of digest has ${length}`);
}
