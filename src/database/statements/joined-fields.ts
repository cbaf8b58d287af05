/** A character that no field of ours has. */
export const FIELD_END = '\u001F';

/**
 * The expression that makes one text of these expressions of many rows. A database hands out one row for all of them, which takes
 * half the time of as many rows.
 */
export function joinedFields(expressions: readonly string[]): string {
  return `STRING_AGG(${expressions.join(` || '${FIELD_END}' || `)}, '${FIELD_END}')`;
}
