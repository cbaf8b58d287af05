/** Text of one read, in octets. A single step may have half a million. */
export const READ_OCTETS = 2 ** 18;
const MOST_AT_A_TIME = 500;

/** Items in portions that are read at a time, none of them empty; only a single item may be longer than a read should be. */
export function* portionsOf<T extends { readonly octets: number }>(items: Iterable<T>): Generator<T[]> {
  let portion: T[] = [];
  let octets = 0;
  for (const item of items) {
    if (portion.length === MOST_AT_A_TIME || (portion.length > 0 && octets + item.octets > READ_OCTETS)) {
      yield portion;
      [portion, octets] = [[], 0];
    }
    portion.push(item);
    octets += item.octets;
  }
  if (portion.length > 0) yield portion;
}
