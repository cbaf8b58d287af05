import type { SqlValue } from '../transaction.js';

function octetsOfRow(values: readonly SqlValue[]): number {
  let octets = 0;
  for (const value of values) if (typeof value === 'string') octets += value.length;
  return octets;
}

export function octetsOfTexts(rows: readonly unknown[]): number {
  let octets = 0;
  for (const row of rows)
    for (const value of Object.values(row as Readonly<Record<string, unknown>>))
      if (typeof value === 'string') octets += value.length;
  return octets;
}

/** Portions of about `most` octets, at least one row each. @param rows created one by one, to save memory */
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
