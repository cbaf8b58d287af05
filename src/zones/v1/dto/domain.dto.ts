import { NullableText, NullableTexts, OptionalLabels } from '../../../http/bodies/dto-fields.js';
import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsInt, IsOptional, IsString } from '../../../http/bodies/class-validator.js';
import { readLabels } from '../../../common/labels.js';
import { MAX_DESCRIPTION } from '../../../common/field-limits.js';
import { MayBeAbsent } from '../../../http/bodies/field-decorators.js';
import { ownApexNs } from '../../generation.js';
import type { NewZone, ZoneUpdate } from '../../zone-fields.js';
import { ReadOnlyFields, IsNewTtl, NEW_TTL, ANY_TTL, IsTtl } from '../shared-fields.mapper.js';
import { PartialType } from '../../../http/openapi/partial-type.js';

class DomainFieldsDto extends ReadOnlyFields {
  @ApiProperty({ example: 'example.org.', description: 'Absolute: it ends with a dot.' })
  @IsString()
  name!: string;

  @ApiProperty({ example: 'hostmaster@example.org' })
  @IsString()
  email!: string;

  @ApiPropertyOptional({ ...NEW_TTL, description: 'Seconds.' })
  @MayBeAbsent()
  @IsNewTtl()
  ttl?: number;

  @NullableText({ maxLength: MAX_DESCRIPTION, example: 'Our public zone' })
  description?: string | null;

  @NullableTexts({
    example: ['ns1.example.net.', 'ns2.example.net.'],
    description: 'NS of the apex in place of the generated ones; `null` or left out: the generated ones.',
  })
  name_servers?: readonly string[] | null;

  @OptionalLabels('All of its labels.')
  labels?: object;

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    readOnly: true,
    description: 'Ignored: the service raises it.',
  })
  @IsOptional()
  @IsInt()
  serial?: number | null;
}

export class CreateDomainDto extends DomainFieldsDto {
  @NullableText({ example: null, description: 'The name of a template, whose records the domain gets.' })
  template?: string | null;
}

export function toNewZone({ name, email, ttl, description, labels, name_servers: names }: CreateDomainDto): NewZone {
  const optional = {
    ...(ttl !== undefined && { ttl }),
    ...(description !== undefined && { description }),
    ...(labels !== undefined && { labels: readLabels(labels) }),
  };
  return { name, email, ...optional, ...(names && { apexNs: ownApexNs(names) }) };
}

/** An absent field keeps its value; only `description` and `name_servers` may be null (behaviour 7.1). */
export class UpdateDomainDto extends PartialType(DomainFieldsDto) {
  @ApiPropertyOptional({ ...ANY_TTL, description: 'Seconds; 0 where the domain has that already.' })
  @MayBeAbsent()
  @IsTtl()
  override ttl?: number;
}

export function toZoneUpdate({ name_servers: names, labels, ...body }: UpdateDomainDto): ZoneUpdate {
  return {
    ...body,
    ...(names !== undefined && { apexNs: ownApexNs(names) }),
    ...(labels !== undefined && { labels: readLabels(labels) }),
  };
}
