/** Whether a value is a string that UTF-8 can carry and both databases store: no NUL, no half of a surrogate pair. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

/** The order of two texts by their octets in UTF-8, as both databases have it. */
export function compareOctets(one: string, other: string): number {
  if (one === other) return 0;
  // JavaScript compares halves of surrogate pairs, which stand for higher characters than U+E000 to U+FFFF.
  if (SURROGATE.test(one) || SURROGATE.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : 1;
}

const SURROGATE = /[\uD800-\uDFFF]/;
