import { NullableInteger, NullableText, TextField } from '../../../http/bodies/dto-fields.js';
import { IsInt, IsOptional, IsUUID, Allow, IsObject, ValidateIf } from '../../../http/bodies/class-validator.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { ReadOnlyFields, IsNewTtl, NEW_TTL, ANY_TTL, IsTtl } from '../../../zones/v1/shared-fields.mapper.js';
import { MAX_DESCRIPTION } from '../../../common/field-limits.js';
import { IsText, MayBeAbsent } from '../../../http/bodies/field-decorators.js';
import { applyDecorators } from '@nestjs/common';
import { PartialType } from '../../../http/openapi/partial-type.js';

class ReadOnlyRecordFields extends ReadOnlyFields {
  @ApiPropertyOptional({ type: String, format: 'uuid', nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @IsUUID()
  domain_id?: string | null;

  @ApiPropertyOptional({ type: 'integer', nullable: true, readOnly: true, description: 'Ignored.' })
  @IsOptional()
  @IsInt()
  version?: number | null;
}

const MAX_PRIORITY = 65_535;

export class CreateRecordDto extends ReadOnlyRecordFields {
  @TextField({ example: 'www.example.org.', description: 'Owner name, absolute: it ends with a dot.' })
  name!: string;

  @TextField({ example: 'A', description: 'Upper case.' })
  type!: string;

  @ApiPropertyOptional({ example: '192.0.2.3', description: 'The value, in the form that the type asks for.' })
  @ValidateIf(({ data, fields }: CreateRecordDto) => data !== undefined || fields === undefined)
  @IsText()
  data?: string;

  @ApiPropertyOptional({
    type: 'object',
    additionalProperties: true,
    description: 'Instead of `data`: its fields, as `GET /v1/record-types` describes them.',
  })
  @MayBeAbsent()
  @IsObject()
  fields?: Record<string, unknown>;

  @NullableInteger({
    minimum: 0,
    maximum: MAX_PRIORITY,
    example: null,
    description: 'Required for MX and SRV, null for every other type.',
  })
  priority?: number | null;

  @ApiPropertyOptional({ ...NEW_TTL, nullable: true, description: 'Seconds; null: the ttl of the domain.' })
  @IsOptional()
  @IsNewTtl()
  ttl?: number | null;

  @NullableText({ maxLength: MAX_DESCRIPTION, example: null })
  description?: string | null;

  @ApiPropertyOptional({
    type: String,
    nullable: true,
    example: null,
    description:
      'When the service removes the record, a time to come such as `2027-01-31T00:00:00Z`; null: never. Unknown without the' +
      ' option `expiring_records`.',
  })
  @Allow()
  expires_at?: unknown;
}

/** Optional ttl of a record that may already exist. */
export function KeptTtl(): PropertyDecorator {
  return applyDecorators(
    ApiPropertyOptional({
      ...ANY_TTL,
      nullable: true,
      description: 'Seconds; null: the ttl of the domain; 0 where the record has that already.',
    }),
    IsOptional(),
    IsTtl(),
  );
}

/** An absent field keeps its value; null clears a nullable field (behaviour 6.2). */
export class UpdateRecordDto extends PartialType(CreateRecordDto) {
  @KeptTtl()
  override ttl?: number | null;
}
