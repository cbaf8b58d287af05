import { hash } from 'node:crypto';
import type { Validity } from '../../dns/dnssec/rrsig.js';
import { type DnssecOptions, SPREAD_DAYS } from '../dnssec.options.js';

/** Clocks of resolvers may be so far behind, in seconds. */
const BACKDATED = 3 * 3600;
const SPREAD = SPREAD_DAYS * 86_400;

export interface SignatureTimes extends Validity {
  /** When it is signed again, in seconds since 1970. */
  readonly dueAt: number;
}

/**
 * The times of a signature that is made now.
 * @param place tells the set from all others: renewals are spread by it, and always in the same way
 * @param before the inception of the signature that it takes the place of: none is ever older than the one before
 */
export function signatureTimes(
  now: number,
  place: string,
  before: number | null,
  { validity, refresh }: Pick<DnssecOptions, 'validity' | 'refresh'>,
): SignatureTimes {
  const expiration = now + validity;
  const inception = Math.max(now - BACKDATED, before ?? 0);
  const share = hash('sha256', place, 'buffer').readUInt32BE(0) / 2 ** 32;
  return { inception, expiration, dueAt: Math.floor(expiration - refresh - share * SPREAD) };
}
