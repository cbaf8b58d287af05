import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsIn } from 'class-validator';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';

const BOOLEANS = ['true', 'false'] as const;

export class ChangeSetQueryDto {
  @ApiPropertyOptional({ enum: BOOLEANS, default: 'false', description: 'Judge everything, but store nothing.' })
  @MayBeAbsent()
  @IsIn(BOOLEANS)
  dry_run?: (typeof BOOLEANS)[number];
}
