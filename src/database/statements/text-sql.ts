import { isText } from '../../common/json.js';
import { bytewise, type WhereClause } from './walk.js';

const UPPER = /[A-Z]/g;
const WILDCARD = '*';

/** ASCII letters only. */
export const inLowerCase = (text: string): string => text.replace(UPPER, (letter) => letter.toLowerCase());
/** LOWER of PostgreSQL changes all letters, except bytewise. */
const lower = (column: string): string => `LOWER(${bytewise(column)})`;

/** Ignores ASCII case. For `hinted` statements of both databases. LIKE differs between the databases. */
export function containsSql(columns: readonly string[], text: string): WhereClause {
  const wanted = inLowerCase(text);
  const tests = columns.map((column) => `STRPOS(${lower(column)}, ?) > 0`);
  return { sql: `(${tests.join(' OR ')})`, values: columns.map(() => wanted) };
}

/** True for all values that match the pattern, maybe for others: wildcards would take the database too long. */
export function mayMatchSql(column: string, pattern: string): WhereClause {
  if (!isText(pattern)) return { sql: '1 = 0', values: [] };
  const text = `CAST((${column}) AS TEXT)`;
  if (!pattern.includes(WILDCARD)) return { sql: `${lower(text)} = ?`, values: [inLowerCase(pattern)] };
  const longest = pattern.split(WILDCARD).reduce((one, other) => (other.length > one.length ? other : one));
  return longest === '' ? { sql: `(${column}) IS NOT NULL`, values: [] } : containsSql([text], longest);
}
