import type { Generation } from './generation.js';
import type { ZoneSnapshot } from './journal/journal-format.js';
import { mastersOf } from './zone-type.js';
import type { ZoneEntity } from './zone.entity.js';

export function snapshotOf(zone: ZoneEntity): ZoneSnapshot {
  const { id, name, email, ttl, description, serial, createdAt, updatedAt } = zone;
  const generation = readGeneration(zone);
  const masters = zone.type === 'SECONDARY' ? { masters: mastersOf(zone) } : {};
  return { id, name, email, ttl, description, serial, generation, ...masters, createdAt, updatedAt };
}

/** What the zone's SOA and apex NS are generated from; `null` for a zone that was made before it was written down. */
export function readGeneration({ generation }: Pick<ZoneEntity, 'generation'>): Generation | null {
  // Only `ZonesService` and `ZoneRegenerationService` write the column.
  return generation === null ? null : (JSON.parse(generation) as Generation);
}
