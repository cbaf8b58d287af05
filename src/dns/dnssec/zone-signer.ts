import type { DomainName } from '../name.js';
import { Type } from './codes.js';
import { type Validity, signSet } from './rrsig.js';
import type { SigningKey } from './signing-key.js';
import type { WireSet } from './wire-set.js';

/** Which keys sign what: with one key for all, both lists have it. */
export interface SigningKeys {
  /** What a DS refers to: they sign the keys themselves. */
  readonly ofKeys: readonly SigningKey[];
  readonly ofZone: readonly SigningKey[];
}

/** RFC 7344 §4.1: CDS and CDNSKEY are signed like the keys they speak of. */
const SIGNED_AS_KEYS: ReadonlySet<number> = new Set([Type.DNSKEY, Type.CDS, Type.CDNSKEY]);

/** The keys that sign sets of that type. */
export function keysFor(type: number, { ofKeys, ofZone }: SigningKeys): readonly SigningKey[] {
  return SIGNED_AS_KEYS.has(type) ? ofKeys : ofZone;
}

/**
 * The signatures of a set, each as RDATA of RRSIG and verified.
 * @throws UnverifiedSignature
 */
export function signaturesOf(set: WireSet, keys: SigningKeys, apex: DomainName, validity: Validity): Uint8Array[] {
  return keysFor(set.type, keys).map((key) => signSet(set, key, apex, validity));
}
