import { ApiProperty } from '../../http/openapi/decorators.js';
import { RecordDto, type RecordForm, type RecordToShow } from '../../records/v1/record.form.js';

/** A record that is not the same in two states of a domain (behaviour 11.2). */
export class DifferenceDto {
  @ApiProperty({ enum: ['create', 'update', 'delete'], example: 'update' })
  action!: string;

  @ApiProperty({ type: RecordDto, nullable: true, description: 'In the first state; `null` where it was not there.' })
  before!: RecordDto | null;

  @ApiProperty({ type: RecordDto, nullable: true, description: 'In the second state; `null` where it was not there.' })
  after!: RecordDto | null;
}

type RecordOfZone = Omit<RecordToShow, 'zoneId'>;

export interface DifferenceToShow {
  readonly action: string;
  readonly before: RecordOfZone | null;
  readonly after: RecordOfZone | null;
}

/** In characters. */
const PIECE = 65_536;

/**
 * An object with the field `diff`, in pieces.
 * @param fieldsBefore stand before it
 */
export async function* jsonOfDifferences(
  zoneId: string,
  form: RecordForm,
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

function toDifferenceDto(zoneId: string, form: RecordForm, { action, before, after }: DifferenceToShow): DifferenceDto {
  const shown = (record: RecordOfZone | null) => (record === null ? null : form({ ...record, zoneId }));
  return { action, before: shown(before), after: shown(after) };
}
