/** Readers for JSON of other services. A value of the wrong type counts as missing. */

export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, name)) return undefined;
  return (value as Readonly<Record<string, unknown>>)[name];
}

export function listOf(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

export function textOf(value: unknown): string | null {
  return isText(value) && value !== '' ? value : null;
}

/** Whether both databases can store the value: a string without NUL and lone surrogates. */
export function isText(value: unknown): value is string {
  return typeof value === 'string' && value.isWellFormed() && !value.includes('\0');
}

/** Compares two texts by their UTF-8 octets, like both databases. */
export function compareOctets(one: string, other: string): number {
  if (one === other) return 0;
  // JavaScript compares UTF-16 units, which sorts surrogate pairs before U+E000 to U+FFFF.
  if (SURROGATE.test(one) || SURROGATE.test(other)) return Buffer.compare(Buffer.from(one), Buffer.from(other));
  return one < other ? -1 : 1;
}

const SURROGATE = /[\uD800-\uDFFF]/;
