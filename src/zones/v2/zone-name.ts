import { ServiceError } from '../../common/service-error.js';

/**
 * Admins may have top-level names, and the root.
 * @throws ServiceError `invalid_zone_name`
 */
export function assertSeveralLabels(name: string): void {
  if (!/^[^.]*\.$/.test(name)) return;
  const message = `${JSON.stringify(name)} has ${name === '.' ? 'no' : 'one'} label; a zone of version 2 has two or more, unless an admin makes it.`;
  throw ServiceError.ofField('invalid_zone_name', 'name', 'format', message);
}
