import { ServiceError } from '../../common/service-error.js';

/**
 * Whoever may have a top-level name makes its zone by version 1.
 * @throws ServiceError `invalid_zone_name`
 */
export function assertSeveralLabels(name: string): void {
  if (!/^[^.]+\.$/.test(name)) return;
  const message = `${JSON.stringify(name)} has one label; a zone of version 2 has two or more.`;
  throw ServiceError.ofField('invalid_zone_name', 'name', 'format', message);
}
