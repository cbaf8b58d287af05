import type { ListedRecord } from '../api/types.js';

/** The columns, by the names of the API. */
const FIELDS = [
  ...(['name', 'type', 'ttl', 'priority', 'data', 'description'] as const),
  ...(['expires_at', 'created_at', 'updated_at', 'id'] as const),
] as const;

/** Spreadsheets calculate cells that begin so, also with full-width signs. */
const FORMULA = /^[=+\-@\t\r\n\uff1d\uff0b\uff0d\uff20]/;
const SPECIAL = /[",\r\n]/;

export const CSV_HEAD = `${FIELDS.join()}\r\n`;

/** Lines of RFC 4180. A text that a spreadsheet would calculate gets an apostrophe before it. */
export function csvOf(records: readonly ListedRecord[]): string {
  return records.map((record) => `${FIELDS.map((field) => cellOf(record[field])).join()}\r\n`).join('');
}

function cellOf(value: string | number | null | undefined): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number') return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return SPECIAL.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** `example.org.csv`; characters with a meaning in paths become `_`. */
export function csvFileName(zone: string): string {
  const name = zone.replace(/\.$/, '').replace(/[^A-Za-z0-9._-]/g, '_');
  return `${name === '' ? 'root' : name}.csv`;
}
