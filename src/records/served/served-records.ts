import type { Page } from '../../common/page.js';
import { nextTurn } from '../../common/waiting/event-loop-turns.js';
import { FIELD_END } from '../../database/statements/joined-fields.js';
import { PageStatement } from '../../database/statements/page-statement.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { comparePositions, type RecordPosition } from '../stored-record.js';
import { columnsToJoin, joinedColumns, LONG_RDATA } from './joined-columns.js';
import { SERVED_COLUMNS, type ServedRecord } from './served-record.js';

const BEHIND = 'zone_id = ? AND (owner_key, type, fingerprint) > (?, ?, ?)';
const ROWS_OF_PAGE = 1000;
const PAGE = new PageStatement<ServedRecord>(`SELECT ${SERVED_COLUMNS} FROM records WHERE ${BEHIND}`, {
  key: 'owner_key, type, fingerprint',
  names: '"ownerKey", type, fingerprint',
  texts: ['name', 'ownerKey', 'rdata'],
});

/** In the order of `recordsOf`. */
const FIELDS = ['id', 'name', 'owner_key', 'type', 'ttl', 'rdata', 'fingerprint'];
/** A text has so many records, and the first ones of a zone fewer: whether one of them is too long is known once all are read. */
const RECORDS_OF_TEXT = 400;
const RECORDS_OF_FIRST_TEXT = 25;
const TEXT = new Statement<JoinedRecords>(
  `SELECT COUNT(*) AS count, MAX(rdata_length) AS longest, ${joinedColumns(FIELDS)} AS text` +
    ` FROM (SELECT ${columnsToJoin(FIELDS)} FROM records WHERE ${BEHIND} ORDER BY owner_key, type, fingerprint LIMIT ?) r`,
);

interface JoinedRecords {
  readonly count: number | string;
  /** Of the RDATA in hexadecimal; `null` where there are no records. */
  readonly longest: number | null;
  readonly text: string | null;
}

/** Before every record: no key sorts below the empty text. */
const START: RecordPosition = { ownerKey: '', type: '', fingerprint: '' };

/** All records of a zone in the canonical order of their owner names, record sets together, read page by page. */
export async function* servedRecords(tx: Transaction, zoneId: string): AsyncGenerator<readonly ServedRecord[]> {
  let after = START;
  // So many are read as rows before a text of them is tried again.
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
    // Reading is synchronous on SQLite: other requests get their turn between two pages.
    await nextTurn();
  }
}

function pageOfRows(tx: Transaction, zoneId: string, after: RecordPosition): Promise<Page<ServedRecord>> {
  return PAGE.page(tx, [zoneId, after.ownerKey, after.type, after.fingerprint], ROWS_OF_PAGE);
}

/** `null` where a record is too long for it, has what no field of ours has, or is not where it belongs. */
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

/** No database promises in which order it puts together what it has found. */
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
