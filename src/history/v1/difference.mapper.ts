import { type DifferenceToShow, toDifferenceDto } from '../../records/v1/difference.mapper.js';
import type { RecordMapper } from '../../records/v1/record.mapper.js';

/** In characters. */
const PIECE = 65_536;

/**
 * An object with the field `diff`, in pieces.
 * @param fieldsBefore stand before it
 */
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
