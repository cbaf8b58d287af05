import { readField } from '../../common/read-field.js';
import { type DomainName, NameError } from '../../dns/name.js';
import { parseZoneName } from '../../dns/owner-name.js';

/** @throws ServiceError `invalid_object` */
export function readZoneName(text: string): DomainName {
  return readField('name', NameError, () => parseZoneName(text));
}
