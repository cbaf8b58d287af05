import { Injectable } from '@nestjs/common';
import type { Caller } from '../../common/caller.js';
import { bulkInsert } from '../../database/statements/bulk-write.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import type { SqlValue, Transaction } from '../../database/transaction.js';
import { Statement } from '../../database/statements/statement.js';
import { journalEnd } from './journal-end.js';
import { type JournalEntry, storedStepOf } from './journal-format.js';

const COLUMNS = {
  zone_id: 'text',
  number: 'bigint',
  serial: 'bigint',
  change_id: 'text',
  action: 'text',
  record_id: 'text',
  before: 'text',
  after: 'text',
  tenant_id: 'text',
  token_id: 'text',
  user_name: 'text',
  address: 'text',
  request_id: 'text',
  at: 'bigint',
  former_name: 'text',
  former_owner: 'text',
  message: 'text',
} as const;
/** A change that is written ahead, and that this change makes obsolete, may have rows with these numbers. */
const INSERT = bulkInsert('journal', COLUMNS, '', 'INSERT OR REPLACE');

/** The partial index of deleted records costs nothing on creates. */
const FIND_DELETED_RECORD = new Statement<unknown>(
  "SELECT 1 FROM journal WHERE zone_id = ? AND record_id = ? AND action = 'record.delete' AND number <= ? LIMIT 1",
);
const FIND_STEP = new Statement<unknown>('SELECT 1 FROM journal WHERE zone_id = ? LIMIT 1');
const FIND_STEP_OF_TENANT = new Statement<unknown>('SELECT 1 FROM journal WHERE zone_id = ? AND tenant_id = ? LIMIT 1');
const DELETE_OF_ZONE = new PortionedDelete({ table: 'journal', key: ['zone_id', 'number'], where: 'zone_id = ?' });
const DELETE_STAGED = new PortionedDelete({
  table: 'journal',
  key: ['zone_id', 'number'],
  where: 'zone_id = ? AND number > ? AND change_id = ?',
});

interface StagedSteps {
  readonly zoneId: string;
  /** Of the zone before the change. */
  readonly version: number;
  readonly changeId: string;
}

@Injectable()
export class JournalRepository {
  insertAll(tx: Transaction, entries: readonly JournalEntry[]): Promise<void> {
    return INSERT.runLong(tx, rowsOf(entries));
  }

  async hasDeletedRecord(tx: Transaction, zoneId: string, recordId: string): Promise<boolean> {
    const end = await journalEnd(tx, zoneId);
    return (await FIND_DELETED_RECORD.first(tx, [zoneId, recordId, end])) !== undefined;
  }

  /** Also if the zone was deleted. */
  async hasChangeBy(tx: Transaction, zoneId: string, { allTenants, tenantId }: Caller): Promise<boolean> {
    const step = allTenants ? FIND_STEP.first(tx, [zoneId]) : FIND_STEP_OF_TENANT.first(tx, [zoneId, tenantId]);
    return (await step) !== undefined;
  }

  /** Returns whether there may be more. */
  deleteSome(tx: Transaction, zoneId: string, most: number): Promise<boolean> {
    return DELETE_OF_ZONE.run(tx, [zoneId], most);
  }

  /** Steps of a change that was written ahead and does not come. Returns whether there may be more. */
  deleteStaged(tx: Transaction, { zoneId, version, changeId }: StagedSteps, most: number): Promise<boolean> {
    return DELETE_STAGED.run(tx, [zoneId, version, changeId], most);
  }
}

/** Creates each row when it is written, because a step may have 360 KiB. */
function* rowsOf(entries: readonly JournalEntry[]): Generator<SqlValue[]> {
  for (const entry of entries) {
    const { before, after } = storedStepOf(entry.step);
    yield [
      entry.zoneId,
      entry.number,
      entry.serial,
      entry.changeId,
      entry.action,
      entry.recordId,
      before,
      after,
      entry.tenantId,
      entry.tokenId,
      entry.userName,
      entry.address,
      entry.requestId,
      entry.at,
      entry.formerName,
      entry.formerOwner,
      entry.message,
    ];
  }
}
