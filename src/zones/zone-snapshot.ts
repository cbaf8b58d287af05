import { apexNsColumn, readApexNs } from './apex-ns.js';
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
export function readGeneration({ generation, apexNs, soaTtl }: GenerationColumns): Generation | null {
  // Only services of this folder write the columns, and what takes over the SOA of a master.
  if (generation === null) return null;
  const read = JSON.parse(generation) as Generation;
  const own = readApexNs({ apexNs });
  return { ...read, ...(own !== null && { apexNs: own }), ...(soaTtl !== null && { soaTtl }) };
}

/** How a zone that was generated from this is stored. */
export function generationColumns(generation: Generation | null): GenerationColumns {
  if (generation === null) return { generation: null, apexNs: null, soaTtl: null };
  const { apexNs, soaTtl = null, ...rest } = generation;
  return { generation: JSON.stringify(rest), apexNs: apexNsColumn(apexNs ?? null), soaTtl };
}

type GenerationColumns = Pick<ZoneEntity, 'generation' | 'apexNs' | 'soaTtl'>;
