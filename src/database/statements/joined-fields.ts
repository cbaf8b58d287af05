/** No field contains it. */
export const FIELD_END = '\u001F';

/** Joins many rows into one text, which takes the database half the time. */
export function joinedFields(expressions: readonly string[]): string {
  return `STRING_AGG(${expressions.join(` || '${FIELD_END}' || `)}, '${FIELD_END}')`;
}
