/*
 * The SOA and the NS of the apex are not stored as record sets: the service makes them when a zone is served (behaviour 6.5).
 * Where record sets have ids, these two have ones that follow from that of their zone: version 8 of a UUID (RFC 9562 §5.8),
 * and a variant that tells one from the other.
 */

/** The type of a managed set. */
export type ManagedType = 'SOA' | 'NS';

const VARIANTS: Readonly<Record<ManagedType, string>> = { SOA: '8', NS: '9' };
/** Where in a UUID the version and the variant are. */
const VERSION_AT = 14;
const VARIANT_AT = 19;
/** What the id of a zone may have in these places. */
const ZONE_VERSIONS = ['7', '4'];
const ZONE_VARIANTS = ['8', '9', 'a', 'b'];

export function managedIdOf(zoneId: string, type: ManagedType): string {
  return replaced(zoneId, '8', VARIANTS[type]);
}

/** Which of the zone's two managed sets has that id; `null` for none. */
export function managedTypeOf(zoneId: string, id: string): ManagedType | null {
  if (id === managedIdOf(zoneId, 'SOA')) return 'SOA';
  return id === managedIdOf(zoneId, 'NS') ? 'NS' : null;
}

/** The ids that the zone of a managed set may have; none for an id that is no managed set's. */
export function zoneIdsOfManaged(id: string): string[] {
  if (id[VERSION_AT] !== '8') return [];
  return ZONE_VERSIONS.flatMap((version) => ZONE_VARIANTS.map((variant) => replaced(id, version, variant)));
}

function replaced(id: string, version: string, variant: string): string {
  return id.slice(0, VERSION_AT) + version + id.slice(VERSION_AT + 1, VARIANT_AT) + variant + id.slice(VARIANT_AT + 1);
}
