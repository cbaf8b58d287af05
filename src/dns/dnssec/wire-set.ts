import type { DomainName } from '../name.js';

/** Record set in wire form. All records have one TTL (RFC 2181 §5.2). */
export interface WireSet {
  readonly owner: DomainName;
  readonly type: number;
  readonly ttl: number;
  readonly rdatas: readonly Uint8Array[];
}

/** IANA, Resource Record TYPEs: those that matter for signing. */
export const Type = {
  NS: 2,
  SOA: 6,
  DNAME: 39,
  DS: 43,
  RRSIG: 46,
  NSEC: 47,
  DNSKEY: 48,
  NSEC3: 50,
  NSEC3PARAM: 51,
  CDS: 59,
  CDNSKEY: 60,
} as const;

const ASKS_THE_PARENT: ReadonlySet<number> = new Set([Type.CDS, Type.CDNSKEY]);

/** CDS and CDNSKEY below the apex belong to other zones and are ordinary records (RFC 9615). */
export function isParentRequest({ owner, type }: Pick<WireSet, 'owner' | 'type'>, apex: DomainName): boolean {
  return ASKS_THE_PARENT.has(type) && owner.equals(apex);
}

/** RFC 7344 §4.1. */
export function isSignedByKsk(set: Pick<WireSet, 'owner' | 'type'>, apex: DomainName): boolean {
  return set.type === Type.DNSKEY || isParentRequest(set, apex);
}
