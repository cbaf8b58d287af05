import { Injectable } from '@nestjs/common';
import { bulkDelete, BulkWrite, unnest } from '../../database/statements/bulk-write.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { HistoryHolds } from '../../zones/journal/history-holds.js';

const FIND = new Statement<{ number: number }>('SELECT number FROM listener_places WHERE listener = ? AND zone_id = ?');
const INTO = 'INSERT INTO listener_places (listener, zone_id, number)';
const REPLACE = 'ON CONFLICT (listener, zone_id) DO UPDATE SET number = excluded.number';
const WRITE = new BulkWrite({
  columns: { listener: 'text', zone_id: 'text', number: 'bigint' },
  sqlite: { sql: `${INTO} VALUES (?, ?, ?) ${REPLACE}` },
  postgres: (arrays) => `${INTO} SELECT * FROM ${unnest(arrays)} ${REPLACE}`,
});
const DELETE = bulkDelete('listener_places', { listener: 'text', zone_id: 'text' });

const POSITION_OF = 'SELECT number FROM listener_places p WHERE p.listener = ? AND p.zone_id = s.id';
/** A look at all zones, each found by its key: `s` are the zones or their ends. */
const behind = (zones: string): string =>
  `SELECT s.id, s.version, COALESCE((${POSITION_OF}), 0) AS number FROM (${zones}) s ORDER BY s.id`;
const ENDS = (index: string): string =>
  `SELECT zone_id AS id, number AS version FROM journal ${index} WHERE action = 'zone.delete' AND zone_id > ? ORDER BY zone_id LIMIT ?`;
const PAGE_OF_ZONES = new Statement<ZoneVersionState>(
  behind('SELECT id, version FROM zones WHERE id > ? ORDER BY id LIMIT ?'),
);
const PAGE_OF_ENDS = new Statement<ZoneVersionState>(behind(ENDS('INDEXED BY journal_ends')), behind(ENDS('')));

const READ_UP_TO = new Statement<{ number: number | null }>(
  'SELECT MIN(COALESCE((SELECT number FROM listener_places p WHERE p.listener = l.name AND p.zone_id = ?), 0)) AS number' +
    ' FROM change_listeners l',
);
const PAGE_OF_POSITIONS = new Statement<PositionKey & { readonly isOrphan: number }>(
  'SELECT p.listener, p.zone_id AS "zoneId", CASE WHEN EXISTS (SELECT 1 FROM journal j WHERE j.zone_id = p.zone_id)' +
    ' OR EXISTS (SELECT 1 FROM zones z WHERE z.id = p.zone_id) THEN 0 ELSE 1 END AS "isOrphan"' +
    ' FROM listener_places p WHERE (p.listener, p.zone_id) > (?, ?) ORDER BY p.listener, p.zone_id LIMIT ?',
);

/** How far a listener has come in one zone. */
export interface ZoneVersionState {
  readonly id: string;
  /** The number of the zone's latest entry. */
  readonly version: number;
  readonly number: number;
}

export interface PositionKey {
  readonly listener: string;
  readonly zoneId: string;
}

/** How far listeners have come. */
@Injectable()
export class ListenerPositionRepository {
  /** 0 where the listener has not begun with the zone. */
  async find(tx: Transaction, listener: string, zoneId: string): Promise<number> {
    return (await FIND.first(tx, [listener, zoneId]))?.number ?? 0;
  }

  write(
    tx: Transaction,
    listener: string,
    positions: readonly (readonly [zoneId: string, number: number])[],
  ): Promise<void> {
    return WRITE.run(
      tx,
      positions.map(([zoneId, number]) => [listener, zoneId, number]),
    );
  }

  /** Up to `limit` zones by id from after `marker` on. */
  pageOfZones(tx: Transaction, listener: string, marker: string, limit: number): Promise<ZoneVersionState[]> {
    return PAGE_OF_ZONES.rows(tx, [listener, marker, limit]);
  }

  /** The same of those that have been deleted and have history left. */
  pageOfDeleted(tx: Transaction, listener: string, marker: string, limit: number): Promise<ZoneVersionState[]> {
    return PAGE_OF_ENDS.rows(tx, [listener, marker, limit]);
  }

  /** Up to `limit` positions from after one on; an orphan belongs to a zone that has left neither itself nor history. */
  page(
    tx: Transaction,
    { listener, zoneId }: PositionKey,
    limit: number,
  ): Promise<(PositionKey & { isOrphan: number })[]> {
    return PAGE_OF_POSITIONS.rows(tx, [listener, zoneId, limit]);
  }

  delete(tx: Transaction, positions: readonly PositionKey[]): Promise<void> {
    return DELETE.run(
      tx,
      positions.map(({ listener, zoneId }) => [listener, zoneId]),
    );
  }
}

/** What listeners have not dealt with stays for a while, also for one that is not there at the moment. */
@Injectable()
export class HoldsOfListeners extends HistoryHolds {
  override async readUpTo(tx: Transaction, zoneId: string): Promise<number> {
    return (await READ_UP_TO.first(tx, [zoneId]))?.number ?? Infinity;
  }
}
