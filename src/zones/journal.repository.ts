import { Injectable } from '@nestjs/common';
import { Statement } from '../database/statement.js';
import type { JournalAction, Step } from './journal-format.js';
import type { ZoneChange } from './zone-change.js';

const INSERT = new Statement(
  'INSERT INTO journal (zone_id, number, serial, change_id, action, record_id, before, after,' +
    ' tenant_id, token_id, user_name, request_id, at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)',
);

@Injectable()
export class JournalRepository {
  /** Writes one step of a change. */
  async append(change: ZoneChange, action: JournalAction, step: Step): Promise<void> {
    const entry = change.nextEntry(action, step);
    await INSERT.run(change.tx, [
      entry.zoneId,
      entry.number,
      entry.serial,
      entry.changeId,
      entry.action,
      entry.recordId,
      entry.before,
      entry.after,
      entry.tenantId,
      entry.tokenId,
      entry.userName,
      entry.requestId,
      entry.at,
    ]);
  }
}
