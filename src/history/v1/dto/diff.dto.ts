import { ApiProperty, ApiPropertyOptional } from '../../../http/openapi/decorators.js';
import { MAX_SERIAL } from '../../../common/field-limits.js';
import { MayBeAbsent } from '../../../http/bodies/may-be-absent.decorator.js';
import { IntegerParameter } from '../../../http/lists/integer-parameter.decorator.js';
import { RecordDto, toRecordDto } from '../../../http/v1/record.dto.js';
import type { RecordSnapshot } from '../../../zones/journal-format.js';
import type { RecordDifference } from '../../record-differences.js';

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

class DifferenceDto {
  @ApiProperty({ enum: ['create', 'update', 'delete'], example: 'update' })
  action!: string;

  @ApiProperty({ type: RecordDto, nullable: true, description: 'At the first serial; `null` where it was not there.' })
  before!: RecordDto | null;

  @ApiProperty({ type: RecordDto, nullable: true, description: 'At the second serial; `null` where it was not there.' })
  after!: RecordDto | null;
}

/** What one change set from the first serial to the second would do. */
export class DiffDto {
  @ApiProperty({ type: [DifferenceDto] })
  diff!: DifferenceDto[];
}

export function toDifferenceDto({ action, before, after }: RecordDifference, zoneId: string): DifferenceDto {
  const shown = (record: RecordSnapshot | null) => (record === null ? null : toRecordDto({ ...record, zoneId }));
  return { action, before: shown(before), after: shown(after) };
}
