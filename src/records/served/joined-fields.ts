/** A character that no field of a record has. */
export const FIELD_END = '\u001F';
/** RDATA of more octets, in hexadecimal, is not put into one text with others. */
export const LONG_RDATA = 8192;

/** How columns are written into a text, where that is not as they are. */
const FORMS: Readonly<Record<string, string>> = {
  ttl: "COALESCE(CAST(ttl AS TEXT), '')",
  rdata: `CASE WHEN OCTET_LENGTH(rdata) > ${LONG_RDATA} THEN '' ELSE rdata END`,
};

/**
 * The expression that makes one text of these columns of many records. A database hands out one row for all of them, which takes
 * half the time of as many rows.
 */
export function joinedFields(columns: readonly string[]): string {
  const fields = columns.map((column) => FORMS[column] ?? column).join(` || '${FIELD_END}' || `);
  return `STRING_AGG(${fields}, '${FIELD_END}')`;
}
