import { Injectable } from '@nestjs/common';
import { Statement } from '../database/statement.js';
import type { ZoneChange, JournalAction } from './zone-change.js';

const INSERT = new Statement(
  'INSERT INTO journal (domain_id, number, serial, action, before, after, tenant_id, request_id, at)' +
    ' VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)',
);

@Injectable()
export class JournalRepository {
  /** Writes one step of a change; `before` and `after` are what the journal shall show. */
  async append(change: ZoneChange, action: JournalAction, before: object | null, after: object | null): Promise<void> {
    const entry = change.nextEntry(action, before, after);
    await INSERT.run(change.tx, [
      entry.zoneId,
      entry.number,
      entry.serial,
      entry.action,
      entry.before,
      entry.after,
      entry.tenantId,
      entry.requestId,
      entry.at,
    ]);
  }
}
