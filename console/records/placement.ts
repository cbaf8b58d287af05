import type { ListedRecord } from '../api/types.js';
import type { Row } from './row.js';

/** A new record and the stored record that it stands before, by its number. */
export interface Placed {
  readonly row: Row;
  readonly before: number;
}

/**
 * Puts new records among the first stored ones: behind records of the same name, or else by the order of names. Orders
 * of other kinds, and places that are not loaded, leave them at the top.
 */
export function placed(
  created: readonly Row[],
  sort: string,
  stored: readonly ListedRecord[],
  isAll: boolean,
): Placed[] {
  const keys = stored.map(({ name }) => keyOf(name));
  const direction = sort === 'name' ? 1 : sort === '-name' ? -1 : 0;
  const places = created.map((row) => ({ row, before: direction === 0 ? 0 : placeOf(row.shown.name) }));
  // Sorting is stable, so new records of one place keep the order of their creation.
  return places.sort((one, other) => one.before - other.before);

  function placeOf(name: string): number {
    const key = keyOf(name);
    const next = keys.findIndex((one) => compareKeys(one, key) * direction > 0);
    return next >= 0 ? next : isAll ? stored.length : 0;
  }
}

/** The row at a place of the table: one of the new ones, or the number of a stored one. */
export function rowOrNumber(places: readonly Placed[], index: number): Row | number {
  let passed = 0;
  for (const { row, before } of places) {
    const at = before + passed;
    if (at === index) return row;
    if (at > index) break;
    passed += 1;
  }
  return index - passed;
}

/** Labels from the right, in lower case and in a form that sorts numbers by their value. */
const keyOf = (name: string): string[] => name.toLowerCase().replace(/\.$/, '').split('.').map(natural).reverse();

/** The canonical order (RFC 4034 §6.1), except that numbers in labels count by their value (behavior 6.7). */
function compareKeys(one: readonly string[], other: readonly string[]): number {
  for (const [at, label] of one.entries()) {
    const facing = other[at];
    if (facing === undefined) return 1;
    if (label !== facing) return label < facing ? -1 : 1;
  }
  return one.length - other.length;
}

/** `9` becomes `019` and `10` becomes `0210`, as in the service. */
const natural = (label: string): string =>
  label.replace(/0*(\d+)/g, (_, digits: string) => `${String(digits.length).padStart(2, '0')}${digits}`);
