import { ownApexNs } from '../../apex-ns.js';
import type { ZoneUpdate } from '../../zone-fields.js';
import { toAttributes } from './is-attributes.decorator.js';
import { ZoneFieldsDto } from './zone-fields.dto.js';

/** Any of the fields; one that is absent keeps its value. Name and type do not change, and cannot be sent. */
export class UpdateZoneDto extends ZoneFieldsDto {}

export function toZoneUpdate({ attributes, name_servers: names, ...fields }: UpdateZoneDto): ZoneUpdate {
  return {
    ...fields,
    ...(attributes === undefined ? {} : { attributes: toAttributes(attributes) }),
    ...(names === undefined ? {} : { apexNs: ownApexNs(names) }),
  };
}
