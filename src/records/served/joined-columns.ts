import { joinedFields } from '../../database/statements/joined-fields.js';

/** RDATA of more octets, in hexadecimal, is not put into one text with others. */
export const LONG_RDATA = 8192;

/** How columns are written into a text, where that is not as they are. */
const FORMS: Readonly<Record<string, string>> = {
  ttl: "COALESCE(CAST(ttl AS TEXT), '')",
};

/** The expression that makes one text of these columns of many records. */
export function joinedColumns(columns: readonly string[]): string {
  return joinedFields(columns.map((column) => FORMS[column] ?? column));
}

/**
 * The columns as they are read for it, with the length of the RDATA as `rdata_length`. What is too long is not read at all:
 * 500 of them would hold the event loop for a tenth of a second, to no purpose.
 */
export function columnsToJoin(columns: readonly string[]): string {
  const short = `CASE WHEN OCTET_LENGTH(rdata) > ${LONG_RDATA} THEN '' ELSE rdata END AS rdata`;
  const read = columns.map((column) => (column === 'rdata' ? short : column));
  return [...read, 'OCTET_LENGTH(rdata) AS rdata_length'].join(', ');
}
