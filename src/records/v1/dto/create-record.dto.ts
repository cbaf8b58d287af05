import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import {
  Allow,
  IsInt,
  IsObject,
  IsOptional,
  Max,
  MaxLength,
  Min,
  ValidateIf,
} from '../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION } from '../../../common/field-limits.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { IsNewTtl, NEW_TTL } from '../../../zones/v1/ttl.mapper.js';
import { ReadOnlyRecordFields } from './read-only-record-fields.js';

const MAX_PRIORITY = 65_535;

export class CreateRecordDto extends ReadOnlyRecordFields {
  @ApiProperty({ example: 'www.example.org.', description: 'Owner name, absolute: it ends with a dot.' })
  @IsText()
  name!: string;

  @ApiProperty({ example: 'A', description: 'Upper case.' })
  @IsText()
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

  @ApiPropertyOptional({
    type: 'integer',
    nullable: true,
    minimum: 0,
    maximum: MAX_PRIORITY,
    example: null,
    description: 'Required for MX and SRV, null for every other type.',
  })
  @IsOptional()
  @Max(MAX_PRIORITY)
  @Min(0)
  @IsInt()
  priority?: number | null;

  @ApiPropertyOptional({ ...NEW_TTL, nullable: true, description: 'Seconds; null: the ttl of the domain.' })
  @IsOptional()
  @IsNewTtl()
  ttl?: number | null;

  @ApiPropertyOptional({ type: String, nullable: true, maxLength: MAX_DESCRIPTION, example: null })
  @IsOptional()
  @MaxLength(MAX_DESCRIPTION)
  @IsText()
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
