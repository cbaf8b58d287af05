import { TextPattern } from '../../common/text-pattern.js';
import type { SqlValue } from '../transaction.js';
import type { ListCursor } from './found-page.js';

/** Text ignores ASCII case; numbers compare by their digits. Natural text sorts digits by their value. */
export type ColumnKind = 'text' | 'number' | 'exact' | 'natural';

/** `*` is no wildcard in an exact column. @throws ServiceError `bad_filter` for a long pattern */
export function testOf(kind: ColumnKind, wanted: string): (value: SqlValue) => boolean {
  if (kind === 'exact') return (value) => value === wanted;
  const pattern = new TextPattern(wanted);
  return (value) => value !== null && pattern.matches(String(value));
}

/** null comes first. */
export function sortKeyOf(kind: ColumnKind, value: SqlValue): ListCursor['key'] {
  if (kind === 'number') return Number(value ?? -1);
  const text = String(value ?? '');
  return kind === 'natural' ? text.replace(DIGITS, lengthFirst) : text;
}

const DIGITS = /0*(\d+)/g;

/** `9` becomes `019` and `10` becomes `0210`, which sort by value. Still a digit first, as in the text. */
function lengthFirst(_: string, digits: string): string {
  return `${String(digits.length).padStart(2, '0')}${digits}`;
}
