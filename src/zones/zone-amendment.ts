import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import { apexNsColumn, readApexNs, renamedApexNs } from './apex-ns.js';
import { attributesColumn } from './zone-draft.js';
import type { StoredZoneFields, ZoneUpdate } from './zone-fields.js';
import type { ZoneEntity } from './zone.entity.js';

/** @throws ServiceError `invalid_object` for what only zones of the other type have; what is sent back as it was is fine */
export function assertFieldsOfType(before: ZoneEntity, { email, ttl, masters, apexNs }: ZoneUpdate): void {
  const isPrimary = before.type === 'PRIMARY';
  const foreign = [
    // Version 2 shows an empty list of a primary zone.
    ...(isPrimary && masters !== undefined && masters.length > 0 ? ['masters'] : []),
    ...(!isPrimary && email !== undefined && email !== before.email ? ['email'] : []),
    ...(!isPrimary && apexNs ? ['name_servers'] : []),
    ...(!isPrimary && ttl !== undefined && ttl !== before.ttl ? ['ttl'] : []),
  ];
  if (foreign.length === 0) return;
  const faults = foreign.map((path) => ({
    path,
    validator: 'additionalProperties' as const,
    message: `${path} cannot be set of a ${before.type} zone.`,
  }));
  throw ServiceError.ofFields('invalid_object', faults);
}

/** The fields of a zone that callers change. */
type UpdatedFields = Pick<
  ZoneEntity,
  'email' | 'ttl' | 'description' | 'masters' | 'attributes' | 'apexNs' | 'keptFields'
>;

export function updatedFields(before: ZoneEntity, body: ZoneUpdate): UpdatedFields {
  const { email = before.email, ttl = before.ttl, description = before.description } = body;
  const isSecondary = before.type === 'SECONDARY';
  const masters = body.masters === undefined || !isSecondary ? before.masters : JSON.stringify(body.masters);
  const attributes = body.attributes === undefined ? before.attributes : attributesColumn(body.attributes);
  const apexNs =
    body.apexNs === undefined ? before.apexNs : apexNsColumn(renamedApexNs(readApexNs(before), body.apexNs));
  const keptFields = body.keptFields === undefined ? before.keptFields : keptColumn(before, body.keptFields);
  return { email, ttl, description, masters, attributes, apexNs, keptFields };
}

export function isSame(before: ZoneEntity, fields: UpdatedFields): boolean {
  return Object.entries(fields).every(([field, value]) => before[field as keyof UpdatedFields] === value);
}

/** What an interface keeps of the zone; an empty object for nothing. */
export function readKept({ keptFields }: Pick<ZoneEntity, 'keptFields'>): StoredZoneFields {
  // Only services of this folder write the column.
  return keptFields === null ? {} : (JSON.parse(keptFields) as StoredZoneFields);
}

/** As it is stored once `change` has been made; the same text where that says nothing new. */
export function keptColumn(
  before: Pick<ZoneEntity, 'keptFields'>,
  change: (before: StoredZoneFields) => StoredZoneFields,
): string | null {
  const kept = readKept(before);
  const after = change(kept);
  return after === kept ? before.keptFields : JSON.stringify(after);
}

/** The name sent back as it was fetched is no renaming, whatever its case. */
export function assertSameName(zone: ZoneEntity, name: string | undefined): void {
  if (name === undefined || name.toLowerCase() === zone.name.toLowerCase()) return;
  throw ServiceError.ofField(
    'change_not_allowed',
    'name',
    'enum',
    `The name cannot change; create ${name} instead.`,
    because('name_is_fixed', { name }),
  );
}
