/** Text of one read, in octets. A single step may have half a million. */
export const READ_OCTETS = 2 ** 18;
const MOST_AT_A_TIME = 500;

/** Items in portions that are read at a time, none of them empty; only a single item may be longer than a read should be. */
export function* chunksOf<T extends { readonly octets: number }>(items: Iterable<T>): Generator<T[]> {
  let chunk: T[] = [];
  let octets = 0;
  for (const item of items) {
    if (chunk.length === MOST_AT_A_TIME || (chunk.length > 0 && octets + item.octets > READ_OCTETS)) {
      yield chunk;
      [chunk, octets] = [[], 0];
    }
    chunk.push(item);
    octets += item.octets;
  }
  if (chunk.length > 0) yield chunk;
}
