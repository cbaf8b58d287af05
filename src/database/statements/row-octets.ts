import type { SqlValue } from './sql-value.js';

/** The length of all texts of a row. */
function octetsOfRow(values: readonly SqlValue[]): number {
  let octets = 0;
  for (const value of values) if (typeof value === 'string') octets += value.length;
  return octets;
}

/** The length of all texts of rows with named columns. */
export function octetsOfTexts(rows: readonly unknown[]): number {
  let octets = 0;
  for (const row of rows)
    // A row is an object of column values.
    for (const value of Object.values(row as Readonly<Record<string, unknown>>))
      if (typeof value === 'string') octets += value.length;
  return octets;
}

/**
 * Rows in portions of about `most` octets, at least one row each.
 * @param rows made one after the other, so that a portion is all that is in memory
 */
export function* portionsOfRows(
  rows: Iterable<readonly SqlValue[]>,
  most: number,
): Generator<{ readonly rows: (readonly SqlValue[])[]; readonly octets: number }> {
  let portion: (readonly SqlValue[])[] = [];
  let octets = 0;
  for (const row of rows) {
    portion.push(row);
    octets += octetsOfRow(row);
    if (octets < most) continue;
    yield { rows: portion, octets };
    [portion, octets] = [[], 0];
  }
  if (portion.length > 0) yield { rows: portion, octets };
}
