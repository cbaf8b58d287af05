import { TextPattern } from '../../common/text-pattern.js';
import type { ListCursor } from './found-page.js';
import type { SqlValue } from './sql-value.js';

/** How the values of a column are compared: text without regard to ASCII case, numbers by their digits, or the very text. */
export type ColumnKind = 'text' | 'number' | 'exact';

/**
 * Whether a value is, or is like, the one that is wanted; `*` is no wildcard in an exact column.
 * @throws ServiceError `bad_filter` for a pattern that is too long
 */
export function testOf(kind: ColumnKind, wanted: string): (value: SqlValue) => boolean {
  if (kind === 'exact') return (value) => value === wanted;
  const pattern = new TextPattern(wanted);
  return (value) => value !== null && pattern.matches(String(value));
}

/** What a value is sorted by; null is below everything. */
export function sortKeyOf(kind: ColumnKind, value: SqlValue): ListCursor['key'] {
  return kind === 'number' ? Number(value ?? -1) : String(value ?? '');
}
