import { IsIn, IsString } from '../../../http/bodies/class-validator.js';
import { type FieldError, ServiceError } from '../../../common/service-error.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { ownApexNs } from '../../apex-ns.js';
import type { NewSecondaryZone, NewZone } from '../../zone-fields.js';
import type { ZoneType } from '../../zone.entity.js';
import { toAttributes } from './is-attributes.decorator.js';
import { ZoneFieldsDto } from './zone-fields.dto.js';

export class CreateZoneDto extends ZoneFieldsDto {
  @ApiProperty({ example: 'example.org.', description: 'Absolute: it ends with a dot. Of two labels at least.' })
  @IsString()
  name!: string;

  @ApiPropertyOptional({ enum: ['PRIMARY', 'SECONDARY'], description: 'Default: `PRIMARY`.' })
  @MayBeAbsent()
  @IsIn(['PRIMARY', 'SECONDARY'])
  type?: ZoneType;
}

/** @throws ServiceError `invalid_object` for what a zone of that type has to have, or cannot have */
export function toNewZone(body: CreateZoneDto): NewZone | NewSecondaryZone {
  const { name, email, ttl, description = null, type = 'PRIMARY', masters = [], attributes = {} } = body;
  const names = body.name_servers ?? null;
  const common = { name, description, attributes: toAttributes(attributes) };
  if (type === 'SECONDARY') {
    assertNone([
      ...(body.masters === undefined ? [missing('masters', 'a SECONDARY zone')] : []),
      ...(email === undefined ? [] : [foreign('email', type)]),
      ...(ttl === undefined ? [] : [foreign('ttl', type)]),
      ...(names === null ? [] : [foreign('name_servers', type)]),
    ]);
    return { ...common, masters };
  }
  const faults = masters.length > 0 ? [foreign('masters', type)] : [];
  if (email !== undefined && faults.length === 0)
    return { ...common, email, ...(ttl === undefined ? {} : { ttl }), apexNs: ownApexNs(names) };
  throw ServiceError.ofFields('invalid_object', [
    ...(email === undefined ? [missing('email', 'a PRIMARY zone')] : []),
    ...faults,
  ]);
}

function assertNone(faults: readonly FieldError[]): void {
  if (faults.length > 0) throw ServiceError.ofFields('invalid_object', faults);
}

function missing(path: string, of: string): FieldError {
  return { path, validator: 'required', message: `${path} is required of ${of}.` };
}

function foreign(path: string, type: ZoneType): FieldError {
  return { path, validator: 'additionalProperties', message: `${path} cannot be set of a ${type} zone.` };
}
