import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { Column, Entity, Index, PrimaryColumn } from 'typeorm';
import { BYTEWISE } from '../../database/statements/bytewise.js';

/** Next and last SOA query of a secondary zone. Deleted with the zone. */
@Entity('transfers_in', { withoutRowid: true })
@Index('transfers_in_due', ['dueAt'])
@Index('transfers_in_refused', ['zoneId'], { where: 'refused_since IS NOT NULL' })
export class InboundTransferEntity {
  @PrimaryColumn('varchar', { name: 'zone_id', length: 36, ...BYTEWISE })
  zoneId!: string;

  @Column('bigint', { name: 'due_at' })
  dueAt!: number;

  /** Last time at which a primary had no later serial. */
  @Column('bigint', { name: 'checked_at', nullable: true })
  checkedAt!: number | null;

  /** The zone is served until then, unless a primary answers before (RFC 1035 §3.3.13). */
  @Column('bigint', { name: 'expires_at', nullable: true })
  expiresAt!: number | null;

  /** Time of the first failed transfer in a row; `null`: none. */
  @Column('bigint', { name: 'failing_since', nullable: true })
  failingSince!: number | null;

  /** Start of the refusals by the primary that answered last; `null`: none. */
  @Column('bigint', { name: 'refused_since', nullable: true })
  refusedSince!: number | null;

  @Column('varchar', { length: 255, nullable: true })
  error!: string | null;
}

const COLUMNS =
  'zone_id AS "zoneId", due_at AS "dueAt", checked_at AS "checkedAt", expires_at AS "expiresAt",' +
  ' failing_since AS "failingSince", refused_since AS "refusedSince", error';
const ASK_AT = new Statement(
  'INSERT INTO transfers_in (zone_id, due_at) VALUES (?, ?) ON CONFLICT (zone_id) DO UPDATE SET due_at = excluded.due_at',
);
const FIND = new Statement<InboundTransferEntity>(`SELECT ${COLUMNS} FROM transfers_in WHERE zone_id = ?`);
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

/** `tenantId` is `null` if the zone was deleted. */
export interface DueTransfer extends InboundTransferEntity {
  readonly tenantId: string | null;
}

const PORTION = 100;

@Injectable()
export class InboundTransferRepository {
  constructor(private readonly reads: Reads) {}

  /** Schedules the next SOA query. A running query notices the changed time. */
  askAt(tx: Transaction, zoneId: string, dueAt: Instant): Promise<void> {
    return ASK_AT.run(tx, [zoneId, dueAt]);
  }

  /** `null` for a primary or deleted zone. */
  async findIn(tx: Transaction, zoneId: string): Promise<InboundTransferEntity | null> {
    return (await FIND.first(tx, [zoneId])) ?? null;
  }

  /** Zones with a due SOA query, the longest overdue first, in portions. */
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
