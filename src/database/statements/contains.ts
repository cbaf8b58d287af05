import type { WhereClause } from './walk.js';

/** No pattern has wildcards here, so that the work for a value grows with its length alone. */
const UPPER = /[A-Z]/g;

/** True where one of the columns has the text, whatever the case of ASCII letters. The same SQL serves both databases. */
export function containsSql(columns: readonly string[], text: string): WhereClause {
  const wanted = text.replace(UPPER, (letter) => letter.toLowerCase());
  // REPLACE compares octets on both; what LIKE and INSTR are called and do differs.
  const tests = columns.map((column) => `REPLACE(LOWER(${column}), ?, '') <> LOWER(${column})`);
  return { sql: `(${tests.join(' OR ')})`, values: columns.map(() => wanted) };
}
