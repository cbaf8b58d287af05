import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { ListQueryDto } from '../../../http/lists/list-query.dto.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';

/** Paging, and an exact filter (behaviour 7.1). */
export class ListDomainsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({ description: 'The domain of this name alone, such as `example.org.`, in any case.' })
  @MayBeAbsent()
  @IsText()
  name?: string;
}
