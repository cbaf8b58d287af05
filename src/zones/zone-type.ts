import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import type { ZoneEntity } from './zone.entity.js';

/** @throws ServiceError `secondary_zone` for a zone whose records are its masters' */
export function assertHasOwnRecords({ name, type }: Pick<ZoneEntity, 'name' | 'type'>): void {
  if (type === 'PRIMARY') return;
  const message = `${name} is a secondary zone: its records are changed at its masters.`;
  throw ServiceError.because('secondary_zone', because('secondary_domain', { domain: name }), message);
}

export function mastersOf({ masters }: Pick<ZoneEntity, 'masters'>): readonly string[] {
  // Only `ZonesService` writes the column.
  return masters === null ? [] : (JSON.parse(masters) as string[]);
}

export function attributesOf({ attributes }: Pick<ZoneEntity, 'attributes'>): Readonly<Record<string, string>> {
  // Only `ZonesService` writes the column.
  return attributes === null ? {} : (JSON.parse(attributes) as Record<string, string>);
}
