import type { Page } from '../../common/collection-query.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { IN_ZONE } from '../../database/statements/contents-id.js';
import { FIELD_END, joinedFields } from '../../database/statements/joined-fields.js';
import { PageStatement } from '../../database/statements/page-statement.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { comparePositions, type RecordPosition, SERVED_COLUMNS, type ServedRecord } from '../stored-record.js';

/** Longer RDATA, in hexadecimal octets, is not joined into one text. */
export const LONG_RDATA = 8192;

/** SQL for columns that are not joined as stored. */
const FORMS: Readonly<Record<string, string>> = {
  ttl: "COALESCE(CAST(ttl AS TEXT), '')",
};

export function joinedColumns(columns: readonly string[]): string {
  return joinedFields(columns.map((column) => FORMS[column] ?? column));
}

/**
 * SQL for these columns, with the RDATA length as `rdata_length`. It omits RDATA that is too long: 500 of them would
 * block the event loop for 100 ms.
 */
export function columnsToJoin(columns: readonly string[]): string {
  const short = `CASE WHEN OCTET_LENGTH(rdata) > ${LONG_RDATA} THEN '' ELSE rdata END AS rdata`;
  const read = columns.map((column) => (column === 'rdata' ? short : column));
  return [...read, 'OCTET_LENGTH(rdata) AS rdata_length'].join(', ');
}

const BEHIND = `${IN_ZONE} AND (owner_key, type, fingerprint) > (?, ?, ?)`;
const ROWS_OF_PAGE = 1000;
const PAGE = new PageStatement<ServedRecord>(`SELECT ${SERVED_COLUMNS} FROM records WHERE ${BEHIND}`, {
  key: 'owner_key, type, fingerprint',
  names: '"ownerKey", type, fingerprint',
  texts: ['name', 'ownerKey', 'rdata'],
});

/** In the order of `recordsOf`. */
const FIELDS = ['id', 'name', 'owner_key', 'type', 'ttl', 'rdata', 'fingerprint'];
/** Records per text. The first text is shorter, because only a read shows a record that is too long. */
const RECORDS_OF_TEXT = 400;
const RECORDS_OF_FIRST_TEXT = 25;
const TEXT = new Statement<JoinedRecords>(
  `SELECT COUNT(*) AS count, MAX(rdata_length) AS longest, ${joinedColumns(FIELDS)} AS text` +
    ` FROM (SELECT ${columnsToJoin(FIELDS)} FROM records WHERE ${BEHIND} ORDER BY owner_key, type, fingerprint LIMIT ?) r`,
);

interface JoinedRecords {
  readonly count: number | string;
  /** Longest RDATA in hexadecimal; `null` without records. */
  readonly longest: number | null;
  readonly text: string | null;
}

/** Sorts before every record: no key sorts below the empty text. */
const START: RecordPosition = { ownerKey: '', type: '', fingerprint: '' };

/** Pages of all records of a zone: canonical owner order, record sets together. */
export async function* servedRecords(tx: Transaction, zoneId: string): AsyncGenerator<readonly ServedRecord[]> {
  let after = START;
  let rowsLeft = 0;
  let size = RECORDS_OF_FIRST_TEXT;
  for (;;) {
    const joined = rowsLeft > 0 ? null : await pageOfText(tx, zoneId, after, size);
    size = Math.min(RECORDS_OF_TEXT, 2 * size);
    if (joined === null && rowsLeft <= 0) [rowsLeft, size] = [RECORDS_OF_TEXT, RECORDS_OF_FIRST_TEXT];
    const { entries, isLast } = joined ?? (await pageOfRows(tx, zoneId, after));
    yield entries;
    const last = entries[entries.length - 1];
    if (last === undefined || isLast) return;
    rowsLeft -= entries.length;
    after = last;
    // SQLite reads synchronously, so other requests get a turn between pages.
    await nextTurn();
  }
}

function pageOfRows(tx: Transaction, zoneId: string, after: RecordPosition): Promise<Page<ServedRecord>> {
  return PAGE.page(tx, [zoneId, after.ownerKey, after.type, after.fingerprint], ROWS_OF_PAGE);
}

/** `null` if a record is too long, the number of fields is wrong, or the order is wrong. */
async function pageOfText(
  tx: Transaction,
  zoneId: string,
  after: RecordPosition,
  size: number,
): Promise<Page<ServedRecord> | null> {
  const values = [zoneId, after.ownerKey, after.type, after.fingerprint, size];
  const joined = await TEXT.first(tx, values);
  const count = Number(joined?.count ?? 0);
  if (joined === undefined || count === 0) return { entries: [], isLast: true };
  const { longest, text } = joined;
  if (longest === null || longest > LONG_RDATA || text === null) return null;
  const fields = text.split(FIELD_END);
  if (fields.length !== count * FIELDS.length) return null;
  const entries = recordsIn(fields);
  return isInOrder(entries) ? { entries, isLast: count < size } : null;
}

/** Neither database guarantees the order of joined rows. */
function isInOrder(records: readonly ServedRecord[]): boolean {
  return records.every((record, at) => at === 0 || comparePositions(records[at - 1] ?? record, record) < 0);
}

function recordsIn(fields: readonly string[]): ServedRecord[] {
  const records: ServedRecord[] = [];
  for (let at = 0; at < fields.length; at += FIELDS.length) {
    const ttl = fields[at + 4] ?? '';
    records.push({
      id: fields[at] ?? '',
      name: fields[at + 1] ?? '',
      ownerKey: fields[at + 2] ?? '',
      type: fields[at + 3] ?? '',
      ttl: ttl === '' ? null : Number(ttl),
      rdata: fields[at + 5] ?? '',
      fingerprint: fields[at + 6] ?? '',
    });
  }
  return records;
}
