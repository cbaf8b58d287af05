import { NullableText, TextField } from '../../../../http/bodies/dto-fields.js';
import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  ArrayMinSize,
  IsArray,
  IsInt,
  IsString,
  Max,
  Min,
  ValidateNested,
} from '../../../../http/bodies/class-validator.js';
import { MAX_DESCRIPTION } from '../../../../common/field-limits.js';
import { ApiProperty, ApiNullableText } from '../../../../http/openapi/decorators.js';
import { PartialType } from '../../../../http/openapi/partial-type.js';
import { V2CollectionDto } from '../../../../http/v2/collection.js';
import { V2ResourceDto } from '../../../../http/v2/resources.js';
import type { NsRecord, PoolEntity } from '../../pool.repository.js';
import type { PoolUpdate, PoolFields } from '../../pools.service.js';

const MAX_NS_RECORDS = 100;
const MAX_PRIORITY = 10_000;

export class NsRecordDto {
  @ApiProperty({ example: 'ns1.example.net.', description: 'Absolute: it ends with a dot.' })
  @IsString()
  hostname!: string;

  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_PRIORITY, example: 1 })
  @Min(0)
  @Max(MAX_PRIORITY)
  @IsInt()
  priority!: number;
}

export class CreatePoolDto {
  @TextField({ minLength: 1, maxLength: 255, example: 'second' })
  name!: string;

  @NullableText({ maxLength: MAX_DESCRIPTION })
  description?: string | null;

  @ApiProperty({ type: [NsRecordDto], minItems: 1, maxItems: MAX_NS_RECORDS })
  @ValidateNested({ each: true })
  @Type(() => NsRecordDto)
  @ArrayMinSize(1)
  @ArrayMaxSize(MAX_NS_RECORDS)
  @IsArray()
  ns_records!: NsRecordDto[];

  @NullableText({ minLength: 1, maxLength: 255 })
  project_id?: string | null;
}

export class UpdatePoolDto extends PartialType(CreatePoolDto) {}

export class PoolDto extends V2ResourceDto {
  @ApiProperty({ example: 'default' })
  name!: string;

  @ApiNullableText()
  description!: string | null;

  @ApiProperty({ type: 'object', additionalProperties: { type: 'string' }, description: 'Always empty.' })
  attributes!: Readonly<Record<string, string>>;

  @ApiProperty({ type: [NsRecordDto] })
  ns_records!: readonly NsRecord[];

  @ApiNullableText()
  project_id!: string | null;
}

export class PoolListDto extends V2CollectionDto {
  @ApiProperty({ type: [PoolDto] })
  pools!: PoolDto[];
}

export function fieldsOfPool(pool: PoolEntity): Omit<PoolDto, keyof V2ResourceDto> {
  const { name, description, nsRecords, projectId } = pool;
  return { name, description, attributes: {}, ns_records: JSON.parse(nsRecords) as NsRecord[], project_id: projectId };
}

export function toPool({ name, description = null, ns_records, project_id = null }: CreatePoolDto): PoolFields {
  return { name, description, nsRecords: ns_records, projectId: project_id };
}

export function toPoolUpdate({ name, description, ns_records, project_id }: UpdatePoolDto): PoolUpdate {
  return { name, description, nsRecords: ns_records, projectId: project_id };
}
