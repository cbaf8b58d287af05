import { ServiceError } from '../../../common/service-error.js';
import { NameError } from '../../../dns/name.js';
import { parseOwnerName } from '../../../dns/owner-name.js';

/** @throws ServiceError `invalid_object` for a text that is no owner name */
export function ownerKeyOf(name: string): string {
  try {
    return parseOwnerName(name).key;
  } catch (error) {
    if (!(error instanceof NameError)) throw error;
    throw ServiceError.ofField('invalid_object', 'name', 'format', `name: ${error.message}.`);
  }
}
