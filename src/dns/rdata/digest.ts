import { RdataError } from './rdata-error.js';

/** Octets. */
export const SHA1_LENGTH = 20;
export const SHA256_LENGTH = 32;
export const GOST_LENGTH = 32;
export const SM3_LENGTH = 32;
export const SHA384_LENGTH = 48;
export const SHA512_LENGTH = 64;

/**
 * Among name servers, only BIND checks the length. @throws RdataError
 * @param length octets; undefined for any length @param part name of the field, by default the label
 */
export function assertDigest(digest: Uint8Array, length: number | undefined, label: string, part = label): void {
  if (length === undefined || digest.length === length) return;
  const message = `the ${label} has ${digest.length} octets: this type of digest has ${length}`;
  throw new RdataError(message, 'data', part);
}
