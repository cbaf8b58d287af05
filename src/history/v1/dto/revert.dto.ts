import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsIn, IsInt, Max, Min } from 'class-validator';
import { MAX_SERIAL } from '../../../common/field-limits.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';

const BOOLEANS = ['true', 'false'] as const;

export class RevertDto {
  @ApiProperty({
    type: 'integer',
    minimum: 0,
    maximum: MAX_SERIAL,
    example: 1763627400,
    description: 'The records become what they were under this serial.',
  })
  @Max(MAX_SERIAL)
  @Min(0)
  @IsInt()
  serial!: number;
}

export class RevertQueryDto {
  @ApiPropertyOptional({ enum: BOOLEANS, default: 'false', description: 'Judge everything, but store nothing.' })
  @MayBeAbsent()
  @IsIn(BOOLEANS)
  dry_run?: (typeof BOOLEANS)[number];
}
