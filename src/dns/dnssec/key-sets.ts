import type { DomainName } from '../name.js';
import { Type } from './codes.js';
import type { WireSet } from './wire-set.js';

const ASKS_THE_PARENT: ReadonlySet<number> = new Set([Type.CDS, Type.CDNSKEY]);

/** CDS and CDNSKEY elsewhere than at the apex are of other zones (RFC 9615), and records like all others. */
export function asksTheParent({ owner, type }: Pick<WireSet, 'owner' | 'type'>, apex: DomainName): boolean {
  return ASKS_THE_PARENT.has(type) && owner.equals(apex);
}

/** Whether a set speaks of the keys of its zone, so that it is signed by one that a DS refers to (RFC 7344 §4.1). */
export function speaksOfKeys(set: Pick<WireSet, 'owner' | 'type'>, apex: DomainName): boolean {
  return set.type === Type.DNSKEY || asksTheParent(set, apex);
}
