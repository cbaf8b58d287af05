import { Type } from 'class-transformer';
import { formatInstant, formatInstantOrNull } from '../../../common/clock.js';
import { MAX_DESCRIPTION, MAX_TTL } from '../../../common/field-limits.js';
import { IsArray, IsBoolean, IsObject, ValidateBy, ValidateNested } from '../../../http/bodies/class-validator.js';
import { NullableInteger, NullableText, TextField } from '../../../http/bodies/dto-fields.js';
import { MayBeAbsent } from '../../../http/bodies/field-decorators.js';
import { ApiNullableText, ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { PartialType } from '../../../http/openapi/partial-type.js';
import { isBuiltIn } from '../../built-in-templates.js';
import { FOR_ALL, recordsIn, type TemplateEntity } from '../../template.entity.js';

const NAME = /^[a-z0-9]+(?:[.-][a-z0-9]+)*$/;
const LONGEST_NAME = 63;
const MAX_PRIORITY = 65_535;

export class TemplateRecordDto {
  @TextField({
    example: 'www',
    description: 'Relative to the domain; `@`: the domain; with a dot: ends with `{zone}.`.',
  })
  name!: string;

  @TextField({ example: 'CNAME' })
  type!: string;

  @TextField({ example: '{zone}.web.example.net.', description: 'As in a record of version 1.' })
  data!: string;

  @NullableInteger({ minimum: 1, maximum: MAX_TTL, example: null, description: 'Seconds; null: that of the domain.' })
  ttl?: number | null;

  @NullableInteger({ minimum: 0, maximum: MAX_PRIORITY, example: null, description: 'Required for MX and SRV.' })
  priority?: number | null;
}

const RECORDS = {
  type: [TemplateRecordDto] as [typeof TemplateRecordDto],
  description: 'At least one. `{zone}` in names and data stands for the name of a domain, without its final dot.',
};

class TemplateFieldsDto {
  @ApiProperty({
    maxLength: LONGEST_NAME,
    example: 'acme-web',
    description: 'Lower-case letters, digits, `-` and `.`.',
  })
  @ValidateBy({
    name: 'isTemplateName',
    validator: {
      validate: (value) => typeof value === 'string' && value.length <= LONGEST_NAME && NAME.test(value),
      defaultMessage: () => `name has at most ${LONGEST_NAME} lower-case letters, digits and inner "-" and "."`,
    },
  })
  name!: string;

  @NullableText({ maxLength: MAX_DESCRIPTION, example: 'Our web server' })
  description?: string | null;

  @ApiProperty(RECORDS)
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => TemplateRecordDto)
  records!: TemplateRecordDto[];
}

export class CreateTemplateDto extends TemplateFieldsDto {
  @ApiPropertyOptional({ example: false, description: 'Admins: for all tenants. Default: for the tenant.' })
  @MayBeAbsent()
  @IsBoolean()
  for_all_tenants?: boolean;
}

export class UpdateTemplateDto extends PartialType(TemplateFieldsDto) {}

export class TemplateDto {
  @ApiProperty({ format: 'uuid', example: '019aa5f4-9c1e-7d10-8000-2b9c0e4f6a81' })
  id!: string;

  @ApiProperty({ example: 'acme-web' })
  name!: string;

  @ApiNullableText({ example: 'acme', description: '`null`: for all tenants.' })
  tenant_id!: string | null;

  @ApiProperty({ example: false, description: 'A template of the service itself, which cannot change.' })
  built_in!: boolean;

  @ApiNullableText({ example: 'Our web server' })
  description!: string | null;

  @ApiProperty(RECORDS)
  records!: TemplateRecordDto[];

  @ApiNullableText({ example: '2026-11-20T08:30:00.123456', description: 'UTC; `null`: built in.' })
  created_at!: string | null;

  @ApiNullableText({ example: null })
  updated_at!: string | null;
}

export class TemplateListDto {
  @ApiProperty({ type: [TemplateDto] })
  templates!: TemplateDto[];
}

export function toTemplateDto(template: TemplateEntity): TemplateDto {
  const { id, name, tenantId, description, createdAt, updatedAt } = template;
  return {
    ...{ id, name, tenant_id: tenantId === FOR_ALL ? null : tenantId, built_in: isBuiltIn(template), description },
    records: [...recordsIn(template)],
    created_at: isBuiltIn(template) ? null : formatInstant(createdAt),
    updated_at: formatInstantOrNull(updatedAt),
  };
}
