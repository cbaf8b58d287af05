import { IsIn, MaxLength, MinLength } from '../../../http/bodies/class-validator.js';
import { ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { IsText } from '../../../http/bodies/is-text.decorator.js';
import { type BooleanParameter, IsBooleanParameter } from '../../../http/lists/boolean-parameter.decorator.js';
import { ListQueryDto } from '../../../http/lists/list-query.dto.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { describeSorts, IsOffset, LONGEST_SEARCHED, sortsOf } from '../../../http/lists/page-list.js';
import { RECORD_SORTS } from '../../lists/record-lists.js';
import { SHOWS_FIELDS } from '../shows-fields.decorator.js';

/** Paging and exact filters (behaviour 6.4), and searches (behaviour 6.7). */
export class ListRecordsQueryDto extends ListQueryDto {
  @ApiPropertyOptional({ description: 'Owner name, in any case.', example: 'www.example.org.' })
  @MayBeAbsent()
  @IsText()
  name?: string;

  @ApiPropertyOptional({ example: 'A,AAAA', description: 'A type, or several with commas between.' })
  @MayBeAbsent()
  @IsText()
  type?: string;

  @ApiPropertyOptional({ example: '192.0.2.3' })
  @MayBeAbsent()
  @IsText()
  data?: string;

  @ApiPropertyOptional({
    maxLength: LONGEST_SEARCHED,
    example: 'mail',
    description: 'Text in the name, the data or the description, in any case of ASCII letters.',
  })
  @MayBeAbsent()
  @MaxLength(LONGEST_SEARCHED)
  @MinLength(1)
  @IsText()
  q?: string;

  @ApiPropertyOptional({ enum: sortsOf(RECORD_SORTS), description: describeSorts(RECORD_SORTS) })
  @MayBeAbsent()
  @IsIn(sortsOf(RECORD_SORTS))
  sort?: string;

  @IsOffset()
  offset?: number;

  @IsBooleanParameter('Count all that are found, also by type.')
  count?: BooleanParameter;

  @IsBooleanParameter(SHOWS_FIELDS)
  fields?: BooleanParameter;
}
