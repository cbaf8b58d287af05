import type { DomainName } from '../name.js';
import { speaksOfKeys } from './key-sets.js';
import { type Validity, signSet } from './rrsig.js';
import type { SigningKey } from './signing-key.js';
import type { WireSet } from './wire-set.js';

/** Which keys sign what: with one key for all, both lists have it. */
export interface SigningKeys {
  /** What a DS refers to: they sign the keys themselves. */
  readonly ofKeys: readonly SigningKey[];
  readonly ofZone: readonly SigningKey[];
}

/** The keys that sign the set. */
export function keysFor(
  set: Pick<WireSet, 'owner' | 'type'>,
  { ofKeys, ofZone }: SigningKeys,
  apex: DomainName,
): readonly SigningKey[] {
  return speaksOfKeys(set, apex) ? ofKeys : ofZone;
}

/**
 * The signatures of a set, each as RDATA of RRSIG and verified.
 * @throws UnverifiedSignature
 */
export function signaturesOf(set: WireSet, keys: SigningKeys, apex: DomainName, validity: Validity): Uint8Array[] {
  return keysFor(set, keys, apex).map((key) => signSet(set, key, apex, validity));
}
