import { RdataError } from './rdata-error.js';

/** Lengths of digests in octets. */
export const SHA1_LENGTH = 20;
export const SHA256_LENGTH = 32;
export const GOST_LENGTH = 32;
export const SM3_LENGTH = 32;
export const SHA384_LENGTH = 48;
export const SHA512_LENGTH = 64;

/**
 * Refuses a digest of the wrong length, which would be served and never match: of name servers only BIND counts its octets.
 * @param length in octets; undefined for any
 * @param part the name of the field, where it is not the label
 * @throws RdataError
 */
export function assertDigest(digest: Uint8Array, length: number | undefined, label: string, part = label): void {
  if (length === undefined || digest.length === length) return;
  const message = `the ${label} has ${digest.length} octets: this type of digest has ${length}`;
  throw new RdataError(message, 'data', part);
}
