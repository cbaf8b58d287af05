import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { bulkInsert } from '../../database/statements/bulk-write.js';
import { PortionedDelete } from '../../database/statements/portioned-delete.js';
import { ManyStatement, Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { EventLogRowEntity } from './event-log.entity.js';

export const PAGE_ROWS = 256;
/** Limit of rows scanned for a page of some zones. */
const LOOKED_AT = 5000;
/** Rows per delete, so that others can write. */
const REMOVED_AT_A_TIME = 5000;

const COLUMNS =
  'tenant_id AS "tenantId", position, zone_id AS "zoneId", first_number AS "firstNumber", entries, at, publication' as const;

export interface EventLogPage {
  readonly rows: EventLogRowEntity[];
  /** Last scanned position; `null`: the end of the log. */
  readonly end: number | null;
}

interface Last {
  readonly tenantId: string;
  readonly last: number;
}

/** Creates the row if missing, and locks it until the end of the transaction. */
const HOLD = new Statement<Pick<Last, 'last'>>(
  'INSERT INTO event_log_tenants (tenant_id, last_position) VALUES (?, 0)' +
    ' ON CONFLICT (tenant_id) DO UPDATE SET last_position = event_log_tenants.last_position' +
    ' RETURNING last_position AS last',
);
const RAISE = new Statement('UPDATE event_log_tenants SET last_position = ? WHERE tenant_id = ?');
const INSERT = bulkInsert('event_log', {
  tenant_id: 'text',
  position: 'bigint',
  zone_id: 'text',
  first_number: 'bigint',
  entries: 'bigint',
  at: 'bigint',
  publication: 'text',
});
const LAST = new Statement<Pick<Last, 'last'>>(
  'SELECT last_position AS last FROM event_log_tenants WHERE tenant_id = ?',
);
const LAST_OF_MANY = new ManyStatement<Last>(
  (marks) =>
    `SELECT tenant_id AS "tenantId", last_position AS last FROM event_log_tenants WHERE tenant_id IN (${marks})`,
);
const LATEST_OF_ZONE = new Statement<{ readonly number: number }>(
  'SELECT first_number + entries - 1 AS number FROM event_log WHERE tenant_id = ? AND zone_id = ? AND first_number > 0' +
    ' ORDER BY first_number DESC LIMIT 1',
);
const HAS = new Statement<unknown>(
  'SELECT 1 AS known FROM event_log WHERE tenant_id = ? AND zone_id = ? AND first_number = ?',
);
const OLDEST = new Statement<EventLogRowEntity>(
  `SELECT ${COLUMNS} FROM event_log WHERE tenant_id = ? ORDER BY position LIMIT 1`,
);
const WITH = new Statement<EventLogRowEntity>(
  `SELECT ${COLUMNS} FROM event_log WHERE tenant_id = ? AND position >= ? ORDER BY position LIMIT 1`,
);
const PAGE = new Statement<EventLogRowEntity>(
  `SELECT ${COLUMNS} FROM event_log WHERE tenant_id = ? AND position > ? ORDER BY position LIMIT ${PAGE_ROWS}`,
);
const END_OF_LOOK = new Statement<Pick<EventLogRowEntity, 'position'>>(
  `SELECT position FROM event_log WHERE tenant_id = ? AND position > ? ORDER BY position LIMIT 1 OFFSET ${LOOKED_AT - 1}`,
);
const pageOfZones = (marks: string, column: string): string =>
  `SELECT ${COLUMNS} FROM event_log WHERE tenant_id = ? AND position > ? AND position <= ? AND ${column} IN (${marks})` +
  ` ORDER BY position LIMIT ${PAGE_ROWS}`;
/** The unary plus keeps SQLite from the zone index, which would scan all rows of a zone for each page. */
const PAGE_OF_ZONES = new ManyStatement<EventLogRowEntity>(
  (marks) => pageOfZones(marks, '+zone_id'),
  (marks) => pageOfZones(marks, 'zone_id'),
);
const CLEAR = new Statement('DELETE FROM event_log WHERE tenant_id = ?');
const REMOVE_OLD = new PortionedDelete({
  table: 'event_log',
  key: ['tenant_id', 'position'],
  where: 'at < ?',
  index: 'event_log_times',
});

@Injectable()
export class EventLogRepository {
  /** Locks the log of the tenant, and returns the position of its last event, or 0. */
  async hold(tx: Transaction, tenantId: string): Promise<number> {
    return (await HOLD.first(tx, [tenantId]))?.last ?? 0;
  }

  async latestOfZone(tx: Transaction, tenantId: string, zoneId: string): Promise<number | null> {
    return (await LATEST_OF_ZONE.first(tx, [tenantId, zoneId]))?.number ?? null;
  }

  async has(tx: Transaction, tenantId: string, zoneId: string, number: number): Promise<boolean> {
    return (await HAS.first(tx, [tenantId, zoneId, number])) !== undefined;
  }

  async add(tx: Transaction, tenantId: string, rows: readonly EventLogRowEntity[]): Promise<void> {
    const last = rows.at(-1);
    if (last === undefined) return;
    await INSERT.runAll(tx, rows);
    await RAISE.run(tx, [last.position, tenantId]);
  }

  /** Deletes the log of the tenant; its positions continue. */
  async clear(tx: Transaction, tenantId: string): Promise<void> {
    await CLEAR.run(tx, [tenantId]);
  }

  async last(tx: Transaction, tenantId: string): Promise<number> {
    return (await LAST.first(tx, [tenantId]))?.last ?? 0;
  }

  lastOfMany(tx: Transaction, tenantIds: readonly string[]): Promise<Last[]> {
    return LAST_OF_MANY.rows(tx, [], tenantIds);
  }

  oldest(tx: Transaction, tenantId: string): Promise<EventLogRowEntity | undefined> {
    return OLDEST.first(tx, [tenantId]);
  }

  /** Returns the row with that position, or else the next row. */
  rowWith(tx: Transaction, tenantId: string, position: number): Promise<EventLogRowEntity | undefined> {
    return WITH.first(tx, [tenantId, position]);
  }

  /** The first row may begin before that position. */
  async page(
    tx: Transaction,
    tenantId: string,
    behind: number,
    zoneIds: readonly string[] | null,
  ): Promise<EventLogPage> {
    if (zoneIds === null) return { rows: await PAGE.rows(tx, [tenantId, behind]), end: null };
    const end = (await END_OF_LOOK.first(tx, [tenantId, behind]))?.position ?? null;
    const upTo = end ?? Number.MAX_SAFE_INTEGER;
    return { rows: await PAGE_OF_ZONES.rows(tx, [tenantId, behind, upTo], zoneIds), end };
  }

  /** Returns whether more may remain. */
  removeOld(tx: Transaction, before: Instant): Promise<boolean> {
    return REMOVE_OLD.run(tx, [before], REMOVED_AT_A_TIME);
  }
}
