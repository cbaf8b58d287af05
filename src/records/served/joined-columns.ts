import { joinedFields } from '../../database/statements/joined-fields.js';

/** RDATA of more octets, in hexadecimal, is not put into one text with others. */
export const LONG_RDATA = 8192;

/** How columns are written into a text, where that is not as they are. */
const FORMS: Readonly<Record<string, string>> = {
  ttl: "COALESCE(CAST(ttl AS TEXT), '')",
  rdata: `CASE WHEN OCTET_LENGTH(rdata) > ${LONG_RDATA} THEN '' ELSE rdata END`,
};

/** The expression that makes one text of these columns of many records. */
export function joinedColumns(columns: readonly string[]): string {
  return joinedFields(columns.map((column) => FORMS[column] ?? column));
}
