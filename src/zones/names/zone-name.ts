import { readField } from '../../common/read-field.js';
import { type DomainName, NameError } from '../../dns/name.js';
import { parseDomainName } from '../../dns/owner-name.js';

/** @throws ServiceError `invalid_object` */
export function readZoneName(text: string): DomainName {
  return readField('name', NameError, () => parseDomainName(text));
}
