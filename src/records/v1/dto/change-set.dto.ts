import { ChoiceField, RequiredLabels, TextField } from '../../../http/bodies/dto-fields.js';
import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsArray, IsObject, IsUUID, ValidateNested } from '../../../http/bodies/class-validator.js';
import { type BooleanParameter, CanonicalUuid, IsBooleanParameter } from '../../../http/bodies/field-decorators.js';
import { ApiExtraModels, ApiProperty } from '../../../http/openapi/decorators.js';
import { OptionalFields } from '../../../http/openapi/partial-type.js';
import { IsChangeMessage } from '../change-message.mapper.js';
import { KeptTtl, CreateRecordDto, UpdateRecordDto } from './record-request.dto.js';
import { FINDS, SHOWS_FIELDS } from '../query-parameters.mapper.js';

function RecordId(): PropertyDecorator {
  const example = '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d';
  return applyDecorators(ApiProperty({ format: 'uuid', example }), IsUUID(), CanonicalUuid());
}

export class CreateEntryDto {
  @ChoiceField({ enum: ['create'] })
  action!: 'create';

  @ApiProperty({ type: CreateRecordDto })
  @IsObject()
  @ValidateNested()
  @Type(() => CreateRecordDto)
  record!: CreateRecordDto;
}

export class UpdateEntryDto {
  @ChoiceField({ enum: ['update'] })
  action!: 'update';

  @RecordId()
  id!: string;

  @ApiProperty({ type: UpdateRecordDto })
  @IsObject()
  @ValidateNested()
  @Type(() => UpdateRecordDto)
  record!: UpdateRecordDto;
}

export class DeleteEntryDto {
  @ChoiceField({ enum: ['delete'] })
  action!: 'delete';

  @RecordId()
  id!: string;
}

/** Record of a replacement set. The set has name and type, so these are optional here. */
export class SetMemberDto extends OptionalFields(CreateRecordDto, ['name', 'type']) {
  @KeptTtl()
  override ttl?: number | null;
}

export class ReplaceEntryDto {
  @ChoiceField({ enum: ['replace'] })
  action!: 'replace';

  @TextField({ example: 'www.example.org.', description: 'Owner name of the record set.' })
  name!: string;

  @TextField({ example: 'A' })
  type!: string;

  @ApiProperty({ type: [SetMemberDto], description: 'All records of the set; none removes it.' })
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => SetMemberDto)
  records!: SetMemberDto[];
}

export class LabelEntryDto {
  @ChoiceField({ enum: ['label'] })
  action!: 'label';

  @TextField({ example: 'www.example.org.', description: 'Owner name of the record set.' })
  name!: string;

  @TextField({ example: 'A' })
  type!: string;

  @RequiredLabels('All labels of the set, which has to have records after the change.')
  labels!: object;
}

export const ENTRY_DTOS = {
  create: CreateEntryDto,
  update: UpdateEntryDto,
  delete: DeleteEntryDto,
  replace: ReplaceEntryDto,
  label: LabelEntryDto,
} as const;

/** Changes of one domain that apply together (behaviour 9.1). */
@ApiExtraModels(...Object.values(ENTRY_DTOS))
export class ChangeSetDto {
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    items: { oneOf: Object.values(ENTRY_DTOS).map((entry) => ({ $ref: `#/components/schemas/${entry.name}` })) },
  })
  changes!: (CreateEntryDto | UpdateEntryDto | DeleteEntryDto | ReplaceEntryDto | LabelEntryDto)[];

  @IsChangeMessage()
  message?: string;
}

export class ChangeSetQueryDto {
  @IsBooleanParameter('Check everything, but store nothing.')
  dry_run?: BooleanParameter;

  @IsBooleanParameter(FINDS)
  findings?: BooleanParameter;

  @IsBooleanParameter(SHOWS_FIELDS)
  fields?: BooleanParameter;
}
