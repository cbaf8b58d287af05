import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { InboundTransferEntity } from './inbound-transfer.entity.js';

const COLUMNS =
  'zone_id AS "zoneId", due_at AS "dueAt", checked_at AS "checkedAt", expires_at AS "expiresAt",' +
  ' failing_since AS "failingSince", refused_since AS "refusedSince", error';
const ASK_AT = new Statement(
  'INSERT INTO transfers_in (zone_id, due_at) VALUES (?, ?) ON CONFLICT (zone_id) DO UPDATE SET due_at = excluded.due_at',
);
const FIND = new Statement<InboundTransferEntity>(`SELECT ${COLUMNS} FROM transfers_in WHERE zone_id = ?`);
/** Row by row from where the portion before has ended. */
const DUE = new Statement<DueTransfer>(
  `SELECT ${COLUMNS.replace('zone_id', 't.zone_id')}, z.tenant_id AS "tenantId" FROM transfers_in t` +
    ' LEFT JOIN zones z ON z.id = t.zone_id WHERE t.due_at <= ? AND (t.due_at, t.zone_id) > (?, ?)' +
    ' ORDER BY t.due_at, t.zone_id LIMIT ?',
);
const WRITE = new Statement(
  'UPDATE transfers_in SET due_at = ?, checked_at = ?, expires_at = ?, failing_since = ?, refused_since = ?, error = ?' +
    ' WHERE zone_id = ?',
);
const DELETE = new Statement('DELETE FROM transfers_in WHERE zone_id = ?');

/** One that is due, and the tenant whose zone it is; `null` where the zone is gone. */
export interface DueTransfer extends InboundTransferEntity {
  readonly tenantId: string | null;
}

const PORTION = 100;

/** When the masters of secondary zones are asked, and what became of it. */
@Injectable()
export class InboundTransferRepository {
  constructor(private readonly reads: Reads) {}

  /** Has the masters asked at that time; who asks them at this moment learns of it by the time. */
  askAt(tx: Transaction, zoneId: string, dueAt: Instant): Promise<void> {
    return ASK_AT.run(tx, [zoneId, dueAt]);
  }

  /** `null` for a zone that has no masters, or is gone. */
  async findIn(tx: Transaction, zoneId: string): Promise<InboundTransferEntity | null> {
    return (await FIND.first(tx, [zoneId])) ?? null;
  }

  /** The zones whose masters are to be asked by now, the longest overdue first, in portions. */
  async *due(now: Instant): AsyncGenerator<readonly DueTransfer[]> {
    for (let [dueAt, zoneId] = [-1, '']; ;) {
      const portion = await this.reads.run((tx) => DUE.rows(tx, [now, dueAt, zoneId, PORTION]));
      yield portion;
      const last = portion.at(-1);
      if (last === undefined || portion.length < PORTION) return;
      [dueAt, zoneId] = [last.dueAt, last.zoneId];
    }
  }

  write(tx: Transaction, row: InboundTransferEntity): Promise<void> {
    const { zoneId, dueAt, checkedAt, expiresAt, failingSince, refusedSince, error } = row;
    return WRITE.run(tx, [dueAt, checkedAt, expiresAt, failingSince, refusedSince, error, zoneId]);
  }

  delete(tx: Transaction, zoneId: string): Promise<void> {
    return DELETE.run(tx, [zoneId]);
  }
}
