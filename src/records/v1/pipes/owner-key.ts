import { readField } from '../../../common/read-field.js';
import { NameError } from '../../../dns/name.js';
import { parseOwnerName } from '../../../dns/owner-name.js';

/** @throws ServiceError `invalid_object` for a text that is no owner name */
export function ownerKeyOf(name: string): string {
  return readField('name', NameError, () => parseOwnerName(name).key);
}
