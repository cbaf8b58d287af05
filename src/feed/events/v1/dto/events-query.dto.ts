import { Transform } from 'class-transformer';
import { IsText } from '../../../../http/bodies/is-text.decorator.js';
import { IsTexts } from '../../../../http/bodies/is-texts.decorator.js';
import { MayBeAbsent } from '../../../../http/bodies/may-be-absent.decorator.js';
import { ApiPropertyOptional } from '../../../../http/openapi/decorators.js';

/** Which events are asked for (behaviour 19.12). */
export class EventsQueryDto {
  @ApiPropertyOptional({
    type: [String],
    description: 'Ids of domains, several times or with commas between, 100 at most; without it all of the tenant.',
  })
  @MayBeAbsent()
  @IsTexts()
  @Transform(({ value }: { value: unknown }) => listOf(value))
  domain?: string[];

  @ApiPropertyOptional({
    description: 'The id of the last event that was seen, or 0: as `Last-Event-ID`, for clients that cannot send that.',
    example: '0',
  })
  @MayBeAbsent()
  @IsText()
  since?: string;
}

function listOf(value: unknown): unknown {
  if (typeof value === 'string') return value.split(',');
  return Array.isArray(value) ? value.flatMap(listOf) : value;
}
