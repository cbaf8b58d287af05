import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsInstant } from '../../../http/bodies/is-instant.decorator.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { IntegerParameter } from '../../../http/lists/integer-parameter.decorator.js';

const MAX_LIMIT = 1000;
export const DEFAULT_LIMIT = 100;

/** Paging and filters of a history (behaviour 11.1). */
export class HistoryQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    description: `The highest number of entries, ${DEFAULT_LIMIT} by default; a page of long records has fewer.`,
  })
  @MayBeAbsent()
  @IntegerParameter(1, MAX_LIMIT)
  limit?: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: Number.MAX_SAFE_INTEGER,
    description: 'The number of the last entry already seen.',
  })
  @MayBeAbsent()
  @IntegerParameter(1, Number.MAX_SAFE_INTEGER)
  marker?: number;

  @ApiPropertyOptional({
    description: 'Owner name of the record, before or after, in any case.',
    example: 'www.example.org.',
  })
  @MayBeAbsent()
  @IsText()
  name?: string;

  @ApiPropertyOptional({ description: 'Type of the record.', example: 'A' })
  @MayBeAbsent()
  @IsText()
  type?: string;

  @ApiPropertyOptional({ description: 'Nothing from before this time, UTC.', example: '2026-11-20T08:30:00Z' })
  @MayBeAbsent()
  @IsInstant()
  since?: string;
}

export class HistoryOfNameQueryDto extends HistoryQueryDto {
  @ApiProperty({ description: 'The absolute name of the domain.', example: 'example.org.' })
  @IsText()
  domain!: string;
}
