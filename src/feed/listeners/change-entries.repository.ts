import { Injectable } from '@nestjs/common';
import { type Labels, type LabelsColumn, labelsOf } from '../../common/labels.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { journalEnd } from '../../zones/journal/journal-end.js';
import type { JournalEntity } from '../../zones/journal/journal.entity.js';
import { readStep } from '../../zones/journal/journal-format.js';
import type { ZoneSnapshot, ChangeEntry } from '../../plugins/change-listener.js';

const PAGE_ROWS = 256;
const PAGE_OCTETS = 2 ** 20;

type EntryRow = Pick<
  JournalEntity,
  | 'number'
  | 'serial'
  | 'changeId'
  | 'action'
  | 'recordId'
  | 'before'
  | 'after'
  | 'tenantId'
  | 'requestId'
  | 'at'
  | 'message'
>;

const COLUMNS =
  'number, serial, change_id AS "changeId", action, record_id AS "recordId", before, after, tenant_id AS "tenantId",' +
  ' request_id AS "requestId", at, message';
const OCTETS = 'COALESCE(OCTET_LENGTH(before), 0) + COALESCE(OCTET_LENGTH(after), 0)';
const PAGE_SQL = `SELECT ${COLUMNS} FROM journal WHERE zone_id = ? AND number > ? AND number <= ? ORDER BY number LIMIT ${PAGE_ROWS}`;
/** On SQLite, `rowsUntil` ends the page at the size limit. */
const PAGE = new Statement<EntryRow>(
  PAGE_SQL,
  'SELECT * FROM (SELECT p.*, SUM(octets) OVER (ORDER BY number) - octets AS preceding' +
    ` FROM (${PAGE_SQL.replace(' FROM', `, ${OCTETS} AS octets FROM`)}) p) q` +
    ` WHERE preceding < ${PAGE_OCTETS} ORDER BY number`,
);
/** The zone before its next ownership transfer, if any. */
const nextTransfer = (index: string): string =>
  `(SELECT before FROM journal ${index} WHERE zone_id = ? AND action = 'zone.transfer' AND number > ? ORDER BY number LIMIT 1)`;
const zone = (index: string): string =>
  `SELECT name, tenant_id AS "tenantId", labels, ${nextTransfer(index)} AS transferred FROM zones WHERE id = ?`;
const formerZone = (transfers: string, ends: string): string =>
  `SELECT e.before, e.former_owner AS "tenantId", ${nextTransfer(transfers)} AS transferred` +
  ` FROM journal e ${ends} WHERE e.zone_id = ? AND e.action = 'zone.delete' ORDER BY e.number DESC LIMIT 1`;
/** SQLite has no row statistics, so it needs the index hint. */
const [BY_TRANSFERS, BY_ENDS] = ['INDEXED BY journal_transfers', 'INDEXED BY journal_ends'];
const ZONE = new Statement<ZoneRow>(zone(BY_TRANSFERS), zone(''));
const FORMER_ZONE = new Statement<FormerRow>(formerZone(BY_TRANSFERS, BY_ENDS), formerZone('', ''));

interface ZoneRow extends LabelsColumn {
  readonly name: string;
  readonly tenantId: string;
  /** Zone snapshot as JSON. */
  readonly transferred: string | null;
}

interface FormerRow extends Pick<ZoneRow, 'transferred'> {
  readonly before: string | null;
  readonly tenantId: string | null;
}

export interface EntryPage {
  readonly entries: readonly ChangeEntry[];
  readonly mayGoOn: boolean;
}

@Injectable()
export class ChangeEntries {
  /** Also reads deleted zones. */
  async page(tx: Transaction, zoneId: string, after: number, upTo = Number.MAX_SAFE_INTEGER): Promise<EntryPage> {
    let read = 0;
    const isFull = (row: EntryRow): boolean => (read += octetsOf(row)) >= PAGE_OCTETS;
    const end = Math.min(upTo, await journalEnd(tx, zoneId));
    const rows = await PAGE.rowsUntil(tx, [zoneId, after, end], isFull);
    const last = rows.at(-1);
    if (last === undefined) return { entries: [], mayGoOn: false };
    const entries = entriesOf(rows, zoneId, await this.zoneAfter(tx, zoneId, last.number));
    // PostgreSQL limits the page without `isFull`.
    const octets = rows.reduce((sum, row) => sum + octetsOf(row), 0);
    return { entries, mayGoOn: rows.length === PAGE_ROWS || octets >= PAGE_OCTETS };
  }

  /** Returns name and owner of the zone after that step. Reads after the entries, so that no transfer is missed. */
  private async zoneAfter(tx: Transaction, zoneId: string, number: number): Promise<Zone> {
    const row = await ZONE.first(tx, [zoneId, number, zoneId]);
    if (row !== undefined)
      return { name: row.name, tenantId: ownerIn(row.transferred) ?? row.tenantId, ...shownLabels(labelsOf(row)) };
    const former = await FORMER_ZONE.first(tx, [zoneId, number, zoneId]);
    // The journal of a deleted zone ends with its deletion.
    const { name, labels } = readStep({ before: former?.before ?? '{}', after: null }).before as ZoneSnapshot;
    const tenantId = ownerIn(former?.transferred ?? null) ?? former?.tenantId ?? '';
    return { name, tenantId, ...shownLabels(labels ?? {}) };
  }
}

function octetsOf({ before, after }: Pick<EntryRow, 'before' | 'after'>): number {
  return Buffer.byteLength(before ?? '') + Buffer.byteLength(after ?? '');
}

type Zone = Omit<ChangeEntry['zone'], 'id'>;

function shownLabels(labels: Labels): Pick<Zone, 'labels'> {
  return Object.keys(labels).length === 0 ? {} : { labels };
}

/** Goes backwards to find the owner before each ownership transfer. */
function entriesOf(rows: readonly EntryRow[], id: string, latest: Zone): ChangeEntry[] {
  let zone = { id, ...latest };
  const entries = rows.toReversed().map((row): ChangeEntry => {
    const { number, serial, changeId, action, recordId, tenantId, requestId, at, message } = row;
    const step = readStep(row);
    const entry = { zone, number, serial, changeId, action, recordId, ...step, tenantId, requestId, at, message };
    if (action === 'zone.transfer') zone = { ...zone, tenantId: ownerIn(row.before) ?? zone.tenantId };
    return entry;
  });
  return entries.reverse();
}

/** @param before zone snapshot before an ownership transfer, as JSON */
function ownerIn(before: string | null): string | null {
  if (before === null) return null;
  const { tenantId } = readStep({ before, after: null }).before as ZoneSnapshot;
  return tenantId ?? null;
}
