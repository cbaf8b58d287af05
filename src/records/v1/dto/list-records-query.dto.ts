import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { type BooleanParameter, IsBooleanParameter } from '../../../http/lists/boolean-parameter.decorator.js';
import { ListQueryDto } from '../../../http/lists/list-query.dto.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { SHOWS_FIELDS } from '../shows-fields.decorator.js';

/** Paging and exact filters (behaviour 6.4). */
export class ListRecordsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({ description: 'Owner name, in any case.', example: 'www.example.org.' })
  @MayBeAbsent()
  @IsText()
  name?: string;

  @ApiPropertyOptional({ example: 'A' })
  @MayBeAbsent()
  @IsText()
  type?: string;

  @ApiPropertyOptional({ description: 'The value as it was sent.', example: '192.0.2.3' })
  @MayBeAbsent()
  @IsText()
  data?: string;

  @IsBooleanParameter(SHOWS_FIELDS)
  fields?: BooleanParameter;
}
