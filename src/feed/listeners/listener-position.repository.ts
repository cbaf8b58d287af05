import { Injectable } from '@nestjs/common';
import { bulkDelete, bulkUpsert } from '../../database/statements/bulk-write.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import type { ListenerPositionEntity } from './listener.entity.js';
import { HistoryHolds } from '../../zones/journal/history-retention.repository.js';

const FIND = new Statement<{ number: number }>('SELECT number FROM listener_places WHERE listener = ? AND zone_id = ?');
const KEY = { listener: 'text', zone_id: 'text' } as const;
const WRITE = bulkUpsert('listener_places', KEY, { number: 'bigint' });
const DELETE = bulkDelete('listener_places', KEY);

const POSITION_OF = 'SELECT number FROM listener_places p WHERE p.listener = ? AND p.zone_id = s.id';
/** Scans all zones by key: `s` are zones or deletions. */
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

export interface ZoneVersionState {
  readonly id: string;
  /** Number of the latest entry of the zone. */
  readonly version: number;
  readonly number: number;
}

export type PositionKey = Pick<ListenerPositionEntity, 'listener' | 'zoneId'>;

@Injectable()
export class ListenerPositionRepository {
  /** Returns 0 before the first delivery. */
  async find(tx: Transaction, listener: string, zoneId: string): Promise<number> {
    return (await FIND.first(tx, [listener, zoneId]))?.number ?? 0;
  }

  write(tx: Transaction, positions: readonly ListenerPositionEntity[]): Promise<void> {
    return WRITE.runAll(tx, positions);
  }

  pageOfZones(tx: Transaction, listener: string, marker: string, limit: number): Promise<ZoneVersionState[]> {
    return PAGE_OF_ZONES.rows(tx, [listener, marker, limit]);
  }

  /** Returns deleted zones with remaining history. */
  pageOfDeleted(tx: Transaction, listener: string, marker: string, limit: number): Promise<ZoneVersionState[]> {
    return PAGE_OF_ENDS.rows(tx, [listener, marker, limit]);
  }

  /** An orphan belongs to a zone without row and history. */
  page(
    tx: Transaction,
    { listener, zoneId }: PositionKey,
    limit: number,
  ): Promise<(PositionKey & { isOrphan: number })[]> {
    return PAGE_OF_POSITIONS.rows(tx, [listener, zoneId, limit]);
  }

  delete(tx: Transaction, positions: readonly PositionKey[]): Promise<void> {
    return DELETE.runAll(tx, positions);
  }
}

/** Retains undelivered history for some time, also for missing listeners. */
@Injectable()
export class HoldsOfListeners extends HistoryHolds {
  override async readUpTo(tx: Transaction, zoneId: string): Promise<number> {
    return (await READ_UP_TO.first(tx, [zoneId]))?.number ?? Infinity;
  }
}
