import { LRUCache } from 'lru-cache';
import type { ZoneEntity } from '../../zones/zone.entity.js';

/** What of a zone is hardly ever another, and all that its records are loaded by. */
export type ZonePlace = Readonly<Pick<ZoneEntity, 'id' | 'name' | 'nameKey' | 'tenantId'>>;

/** Some megabytes. */
const MOST_ZONES = 10_000;

/**
 * The places of zones that were changed of late. With a guess of it what a change touches is asked for as the zone is taken, in
 * the same round trip; whether it was right is known when the zone is held.
 */
export class ZonePlaces {
  private readonly places = new LRUCache<string, ZonePlace>({ max: MOST_ZONES });

  guess(zoneId: string): ZonePlace | null {
    return this.places.get(zoneId) ?? null;
  }

  learn({ id, name, nameKey, tenantId }: ZonePlace): void {
    this.places.set(id, { id, name, nameKey, tenantId });
  }
}

export function isSamePlace(one: ZonePlace, other: ZonePlace): boolean {
  return one.id === other.id && one.nameKey === other.nameKey && one.tenantId === other.tenantId;
}
