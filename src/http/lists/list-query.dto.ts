import { ApiPropertyOptional } from '../openapi/decorators.js';
import { Transform } from 'class-transformer';
import { IsInt, IsUUID, Max, Min } from '../bodies/class-validator.js';
import { canonicalUuid } from '../../common/uuid.js';
import { MayBeAbsent } from '../bodies/may-be-absent.decorator.js';

const MAX_LIMIT = 1000;
const DIGITS = /^(?:0|[1-9][0-9]{0,8})$/;

/** The paging parameters of a list (behaviour 6.4). Without `limit` the list is complete. */
export class ListQueryDto {
  @ApiPropertyOptional({
    type: 'integer',
    minimum: 1,
    maximum: MAX_LIMIT,
    description: 'The highest number of entries; `links.next` leads to more.',
  })
  @MayBeAbsent()
  @Max(MAX_LIMIT)
  @Min(1)
  @IsInt()
  @Transform(({ value }: { value: unknown }) => (isDigits(value) ? Number(value) : value))
  limit?: number;

  @ApiPropertyOptional({ format: 'uuid', description: 'The id of the last entry already seen.' })
  @MayBeAbsent()
  @IsUUID()
  @Transform(({ value }: { value: unknown }) => (typeof value === 'string' ? (canonicalUuid(value) ?? value) : value))
  marker?: string;
}

function isDigits(value: unknown): boolean {
  return typeof value === 'string' && DIGITS.test(value);
}
