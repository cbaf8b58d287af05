import { IsIn, MaxLength, MinLength } from '../../../http/bodies/class-validator.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { type BooleanParameter, IsBooleanParameter } from '../../../http/lists/boolean-parameter.decorator.js';
import { ListQueryDto } from '../../../http/lists/list-query.dto.js';
import {
  describeSorts,
  IsOffset,
  isSearch,
  LONGEST_SEARCHED,
  sortsOf,
  toPageList,
} from '../../../http/lists/page-list.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { ZONE_SORTS, type ZoneListQuery } from '../../lists/zone-lists.js';

/** Paging, an exact filter (behaviour 7.1), and searches (behaviour 7.6). */
export class ListDomainsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({ description: 'The domain of this name alone, such as `example.org.`, in any case.' })
  @MayBeAbsent()
  @IsText()
  name?: string;

  @ApiPropertyOptional({
    maxLength: LONGEST_SEARCHED,
    // Not as `example`, which Swagger UI searches for at once.
    description: 'Text in the name, the email or the description, such as `shop`, in any case of ASCII letters.',
  })
  @MayBeAbsent()
  @MaxLength(LONGEST_SEARCHED)
  @MinLength(1)
  @IsText()
  q?: string;

  @ApiPropertyOptional({ enum: sortsOf(ZONE_SORTS), description: describeSorts(ZONE_SORTS) })
  @MayBeAbsent()
  @IsIn(sortsOf(ZONE_SORTS))
  sort?: string;

  @IsOffset()
  offset?: number;

  @IsBooleanParameter('Count all that are found.')
  count?: BooleanParameter;

  @IsBooleanParameter('Show the number of records, the publication and the last change too, and to admins the tenant.')
  details?: BooleanParameter;
}

/** What is searched for; `null` where a name and markers do. */
export function toZoneListQuery(query: ListDomainsQueryDto): ZoneListQuery | null {
  const { q = null, name = null, details } = query;
  if (!isSearch(query) && details !== 'true') return null;
  return { ...toPageList(query, ZONE_SORTS, 'created'), q, name };
}
