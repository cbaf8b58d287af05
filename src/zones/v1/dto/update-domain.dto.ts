import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { PartialType } from '../../../http/openapi/partial-type.js';
import { ownApexNs } from '../../apex-ns.js';
import type { ZoneUpdate } from '../../zone-fields.js';
import { ANY_TTL, IsTtl } from '../ttl.mapper.js';
import { CreateDomainDto } from './create-domain.dto.js';

/** Any of the fields. An absent field keeps its value; only `description` and `name_servers` may be null (behaviour 7.1). */
export class UpdateDomainDto extends PartialType(CreateDomainDto) {
  @ApiPropertyOptional({ ...ANY_TTL, description: 'Seconds; 0 where the domain has that already.' })
  @MayBeAbsent()
  @IsTtl()
  override ttl?: number;
}

export function toZoneUpdate({ name_servers: names, ...body }: UpdateDomainDto): ZoneUpdate {
  return names === undefined ? body : { ...body, apexNs: ownApexNs(names) };
}
