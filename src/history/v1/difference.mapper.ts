import { OptionalIntegerParameter } from '../../http/bodies/dto-fields.js';
import { type DifferenceToShow, toDifferenceDto, DifferenceDto } from '../../records/v1/difference.mapper.js';
import type { RecordMapper } from '../../records/v1/record.mapper.js';
import { ApiProperty } from '../../http/openapi/decorators.js';
import { MAX_SERIAL } from '../../common/field-limits.js';
import { IntegerParameter } from '../../http/bodies/field-decorators.js';

/** Characters. */
const PIECE = 65_536;

/** Streams an object with the fields of `fieldsBefore` and the field `diff`. */
export async function* jsonOfDifferences(
  zoneId: string,
  form: RecordMapper,
  differences: AsyncIterable<DifferenceToShow>,
  fieldsBefore: object = {},
): AsyncGenerator<string> {
  const fields = Object.entries(fieldsBefore).map(
    ([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)},`,
  );
  let piece = `{${fields.join('')}"diff":[`;
  let separator = '';
  for await (const difference of differences) {
    piece += separator + JSON.stringify(toDifferenceDto(zoneId, form, difference));
    separator = ',';
    if (piece.length < PIECE) continue;
    yield piece;
    piece = '';
  }
  yield `${piece}]}`;
}

/** The two serials of a comparison (behaviour 11.2). */
export class DiffQueryDto {
  @ApiProperty({ type: 'integer', minimum: 0, maximum: MAX_SERIAL, example: 1763627400 })
  @IntegerParameter(0, MAX_SERIAL)
  from!: number;

  @OptionalIntegerParameter({
    minimum: 0,
    maximum: MAX_SERIAL,
    description: 'Earlier or later than `from`; the present serial when it is left out.',
  })
  to?: number;
}

export class DiffDto {
  @ApiProperty({ type: [DifferenceDto] })
  diff!: DifferenceDto[];
}
