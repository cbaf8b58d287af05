import { ServiceError } from '../common/service-error.js';
import { attributesColumn } from './zone-draft.js';
import type { ZoneUpdate } from './zone-fields.js';
import type { ZoneEntity } from './zone.entity.js';

/** @throws ServiceError `invalid_object` for what only zones of the other type have; what is sent back as it was is fine */
export function assertFieldsOfType(before: ZoneEntity, { email, ttl, masters }: ZoneUpdate): void {
  const isPrimary = before.type === 'PRIMARY';
  const foreign = [
    ...(isPrimary && masters !== undefined ? ['masters'] : []),
    ...(!isPrimary && email !== undefined && email !== before.email ? ['email'] : []),
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
type UpdatedFields = Pick<ZoneEntity, 'email' | 'ttl' | 'description' | 'masters' | 'attributes'>;

export function updatedFields(before: ZoneEntity, body: ZoneUpdate): UpdatedFields {
  const { email = before.email, ttl = before.ttl, description = before.description } = body;
  const masters = body.masters === undefined ? before.masters : JSON.stringify(body.masters);
  const attributes = body.attributes === undefined ? before.attributes : attributesColumn(body.attributes);
  return { email, ttl, description, masters, attributes };
}

export function isSame(before: ZoneEntity, fields: UpdatedFields): boolean {
  return Object.entries(fields).every(([field, value]) => before[field as keyof UpdatedFields] === value);
}

/** The name sent back as it was fetched is no renaming, whatever its case. */
export function assertSameName(zone: ZoneEntity, name: string | undefined): void {
  if (name === undefined || name.toLowerCase() === zone.name.toLowerCase()) return;
  throw ServiceError.ofField('change_not_allowed', 'name', 'enum', `The name cannot change; create ${name} instead.`);
}
