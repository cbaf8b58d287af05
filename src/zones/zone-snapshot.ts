import { apexNsColumn, readApexNs } from './generation.js';
import type { Generation, ZoneSnapshot } from '../plugins/change-listener.js';
import { labelsOf } from '../common/labels.js';
import { mastersOf } from './zone-fields.js';
import type { ZoneEntity } from './zone.entity.js';

export function snapshotOf(zone: ZoneEntity): ZoneSnapshot {
  const { id, name, email, ttl, description, serial, createdAt, updatedAt } = zone;
  const generation = readGeneration(zone);
  const masters = zone.type === 'SECONDARY' ? { masters: mastersOf(zone) } : {};
  const labels = zone.labels === null ? {} : { labels: labelsOf(zone) };
  return { id, name, email, ttl, description, serial, generation, ...masters, ...labels, createdAt, updatedAt };
}

/** Source of the zone's SOA and apex NS; `null` for old zones without it. */
export function readGeneration({ generation, apexNs, soaTtl }: GenerationColumns): Generation | null {
  // Only services of this folder and transfers of secondary zones write the columns.
  if (generation === null) return null;
  const read = JSON.parse(generation) as Generation;
  const own = readApexNs({ apexNs });
  return { ...read, ...(own !== null && { apexNs: own }), ...(soaTtl !== null && { soaTtl }) };
}

export function generationColumns(generation: Generation | null): GenerationColumns {
  if (generation === null) return { generation: null, apexNs: null, soaTtl: null };
  const { apexNs, soaTtl = null, ...rest } = generation;
  return { generation: JSON.stringify(rest), apexNs: apexNsColumn(apexNs ?? null), soaTtl };
}

type GenerationColumns = Pick<ZoneEntity, 'generation' | 'apexNs' | 'soaTtl'>;
