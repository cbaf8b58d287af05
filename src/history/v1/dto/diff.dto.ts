import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { MAX_SERIAL } from '../../../common/field-limits.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { IntegerParameter } from '../../../http/lists/integer-parameter.decorator.js';
import { DifferenceDto } from '../../../records/v1/difference.mapper.js';

/** Which two serials are compared (behaviour 11.2). */
export class DiffQueryDto {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_SERIAL, example: 1763627400 })
  @IntegerParameter(0, MAX_SERIAL)
  from!: number;

  @ApiPropertyOptional({
    type: 'integer',
    minimum: 0,
    maximum: MAX_SERIAL,
    description: 'Earlier or later than `from`; the present serial when it is left out.',
  })
  @MayBeAbsent()
  @IntegerParameter(0, MAX_SERIAL)
  to?: number;
}

/** What one change set from the first serial to the second would do. */
export class DiffDto {
  @ApiProperty({ type: [DifferenceDto] })
  diff!: DifferenceDto[];
}
