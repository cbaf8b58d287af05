import { ApiProperty } from '../../../http/openapi/decorators.js';
import { IsInt, Max, Min } from 'class-validator';
import { MAX_SERIAL } from '../../../common/field-limits.js';
import { type BooleanParameter, IsBooleanParameter } from '../../../http/lists/boolean-parameter.decorator.js';

export class RevertDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_SERIAL,
    example: 1763627400,
    description: 'The records become what they were at this serial.',
  })
  @Max(MAX_SERIAL)
  @Min(0)
  @IsInt()
  serial!: number;
}

export class RevertQueryDto {
  @IsBooleanParameter('Check everything, but store nothing.')
  dry_run?: BooleanParameter;
}
