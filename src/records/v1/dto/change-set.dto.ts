import { Transform, Type } from 'class-transformer';
import { IsArray, IsIn, IsObject, IsUUID, ValidateNested } from '../../../http/bodies/class-validator.js';
import { canonicalUuid } from '../../../common/uuid.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { ApiExtraModels, ApiProperty } from '../../../http/openapi/decorators.js';
import { OptionalFields } from '../../../http/openapi/partial-type.js';
import { IsChangeMessage } from '../change-message.mapper.js';
import { KeptTtl } from './kept-ttl.decorator.js';
import { CreateRecordDto } from './create-record.dto.js';
import { UpdateRecordDto } from './update-record.dto.js';

const RECORD_ID = { format: 'uuid', example: '019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d' } as const;

/** The same id in any spelling (behaviour 1.5). */
function IsRecordId(): PropertyDecorator {
  const spell = Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' ? (canonicalUuid(value) ?? value) : value,
  );
  return (target, property) => {
    spell(target, property);
    IsUUID()(target, property);
  };
}

export class CreateEntryDto {
  @ApiProperty({ enum: ['create'] })
  @IsIn(['create'])
  action!: 'create';

  @ApiProperty({ type: CreateRecordDto })
  @IsObject()
  @ValidateNested()
  @Type(() => CreateRecordDto)
  record!: CreateRecordDto;
}

export class UpdateEntryDto {
  @ApiProperty({ enum: ['update'] })
  @IsIn(['update'])
  action!: 'update';

  @ApiProperty(RECORD_ID)
  @IsRecordId()
  id!: string;

  @ApiProperty({ type: UpdateRecordDto })
  @IsObject()
  @ValidateNested()
  @Type(() => UpdateRecordDto)
  record!: UpdateRecordDto;
}

export class DeleteEntryDto {
  @ApiProperty({ enum: ['delete'] })
  @IsIn(['delete'])
  action!: 'delete';

  @ApiProperty(RECORD_ID)
  @IsRecordId()
  id!: string;
}

/** A record of a set that is given whole: the set says its name and type, so that they may be left out. */
export class SetMemberDto extends OptionalFields(CreateRecordDto, ['name', 'type']) {
  @KeptTtl()
  override ttl?: number | null;
}

export class ReplaceEntryDto {
  @ApiProperty({ enum: ['replace'] })
  @IsIn(['replace'])
  action!: 'replace';

  @ApiProperty({ example: 'www.example.org.', description: 'Owner name of the record set.' })
  @IsText()
  name!: string;

  @ApiProperty({ example: 'A' })
  @IsText()
  type!: string;

  @ApiProperty({ type: [SetMemberDto], description: 'All records of the set; none removes it.' })
  @IsArray()
  @IsObject({ each: true })
  @ValidateNested({ each: true })
  @Type(() => SetMemberDto)
  records!: SetMemberDto[];
}

/** The entry of each action. */
export const ENTRY_DTOS = {
  create: CreateEntryDto,
  update: UpdateEntryDto,
  delete: DeleteEntryDto,
  replace: ReplaceEntryDto,
} as const;

/** Several changes of one domain that are made together (behaviour 9.1). */
@ApiExtraModels(...Object.values(ENTRY_DTOS))
export class ChangeSetDto {
  @ApiProperty({
    type: 'array',
    minItems: 1,
    maxItems: 1000,
    items: { oneOf: Object.values(ENTRY_DTOS).map((entry) => ({ $ref: `#/components/schemas/${entry.name}` })) },
  })
  changes!: (CreateEntryDto | UpdateEntryDto | DeleteEntryDto | ReplaceEntryDto)[];

  @IsChangeMessage()
  message?: string;
}
