import { Injectable } from '@nestjs/common';
import { Clock, type Instant, DAY } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';

/** Readers hold history at most for this time. */
export const LONGEST_HOLD: Instant = 7 * DAY;

/** Port: readers of the history delay its removal (behaviour 19.5). */
export abstract class HistoryHolds {
  /** Number of the last step that all readers have read; `Infinity` without readers. */
  abstract readUpTo(tx: Transaction, zoneId: string): Promise<number>;
}

/** Skips along the key from zone to zone. */
const OLDEST_OF_NEXT_ZONES = new Statement<{
  zoneId: string;
  at: Instant;
  livingId: string | null;
  latestAt: Instant | null;
}>(
  'WITH RECURSIVE ids (zone_id, place) AS (' +
    'SELECT (SELECT zone_id FROM journal WHERE zone_id > ? ORDER BY zone_id LIMIT 1), 1 UNION ALL' +
    ' SELECT (SELECT j.zone_id FROM journal j WHERE j.zone_id > ids.zone_id ORDER BY j.zone_id LIMIT 1), place + 1' +
    ' FROM ids WHERE zone_id IS NOT NULL AND place < ?)' +
    ' SELECT zone_id AS "zoneId",' +
    ' (SELECT at FROM journal WHERE zone_id = ids.zone_id ORDER BY number LIMIT 1) AS at,' +
    ' (SELECT id FROM zones WHERE id = ids.zone_id) AS "livingId",' +
    ' (SELECT at FROM journal WHERE zone_id = ids.zone_id ORDER BY number DESC LIMIT 1) AS "latestAt"' +
    ' FROM ids WHERE zone_id IS NOT NULL ORDER BY zone_id',
);
const OLDEST = new Statement<AgedRow>(
  'SELECT number, change_id AS "changeId", at,' +
    ' COALESCE(octet_length(before), 0) + COALESCE(octet_length(after), 0) AS octets' +
    ' FROM journal WHERE zone_id = ? AND number > ? ORDER BY number LIMIT ?',
);
/**
 * The audit keeps creates, transfers and deletes of zones (behaviour 14.6). The last row of a deleted zone has its name
 * and owner, and is removed last.
 */
const KEEP_FOR_AUDIT = new Statement(
  'INSERT INTO audit_entries (at, id, number, action, owner_id, tenant_id, token_id, user_name, address, request_id,' +
    ' zone_id, zone_name, change_id, serial)' +
    ' SELECT j.at, j.zone_id, j.number, j.action, COALESCE(z.tenant_id, l.former_owner), j.tenant_id, j.token_id,' +
    ' j.user_name, j.address, j.request_id, j.zone_id, COALESCE(z.name, l.former_name), j.change_id, j.serial' +
    ' FROM journal j LEFT JOIN zones z ON z.id = j.zone_id' +
    ' LEFT JOIN journal l ON l.zone_id = j.zone_id AND l.number =' +
    " (SELECT MAX(m.number) FROM journal m WHERE m.zone_id = j.zone_id AND m.action = 'zone.delete')" +
    " WHERE j.zone_id = ? AND j.number <= ? AND j.action IN ('zone.create', 'zone.transfer', 'zone.delete')",
);
const DELETE_UP_TO = new Statement('DELETE FROM journal WHERE zone_id = ? AND number <= ?');

const ZONES_AT_ONCE = 500;
/** Removing a portion blocks other writers, so its rows and octets are bounded. */
const PORTION_ROWS = 1000;
const PORTION_OCTETS = 4_194_304;
/** Rows of one query. A large row must be read to be measured, so pages are small. */
const PAGE_ROWS = 50;

interface AgedRow {
  readonly number: number;
  readonly changeId: string;
  readonly at: Instant;
  readonly octets: number;
}

export interface RetainedHistory {
  readonly zoneId: string;
  readonly oldestAt: Instant;
  readonly latestAt: Instant;
  readonly isDeleted: boolean;
}

@Injectable()
export class HistoryRetentionRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly claims: HistoryHolds,
    private readonly clock: Clock,
  ) {}

  async ofNextZones(zoneId: string): Promise<RetainedHistory[]> {
    const rows = await this.reads.run((tx) => OLDEST_OF_NEXT_ZONES.rows(tx, [zoneId, ZONES_AT_ONCE]));
    return rows.map(({ zoneId: id, at, livingId, latestAt }) => ({
      zoneId: id,
      oldestAt: at,
      latestAt: latestAt ?? Infinity,
      isDeleted: livingId === null,
    }));
  }

  /** Skips changes that a reader holds. Returns whether there may be more. */
  removeOldest(zoneId: string, before: Instant): Promise<boolean> {
    const remove = async (tx: Transaction): Promise<boolean> => {
      const readUpTo = await this.claims.readUpTo(tx, zoneId);
      const endOfHolds = this.clock.now() - LONGEST_HOLD;
      const stays = ({ number, at }: AgedRow): boolean => at >= before || (number > readUpTo && at >= endOfHolds);
      const last = await endOfPortion(oldest(tx, zoneId), stays);
      if (last === null) return false;
      await KEEP_FOR_AUDIT.run(tx, [zoneId, last]);
      await DELETE_UP_TO.run(tx, [zoneId, last]);
      return true;
    };
    return this.unitOfWork.run(remove, { zoneId });
  }
}

async function* oldest(tx: Transaction, zoneId: string): AsyncGenerator<AgedRow> {
  for (let number: number | undefined = 0; number !== undefined;) {
    const page: AgedRow[] = await OLDEST.rows(tx, [zoneId, number, PAGE_ROWS]);
    yield* page;
    number = page.at(-1)?.number;
  }
}

/** A portion ends with a change, unless the change alone is larger. `null`: all rows stay. */
async function endOfPortion(rows: AsyncIterable<AgedRow>, stays: (row: AgedRow) => boolean): Promise<number | null> {
  let last: AgedRow | null = null;
  let endOfChange: number | null = null;
  let [count, octets] = [0, 0];
  for await (const row of rows) {
    if (last !== null && row.changeId !== last.changeId) endOfChange = last.number;
    const isFull = count === PORTION_ROWS || octets >= PORTION_OCTETS;
    if (isFull || stays(row)) return endOfChange ?? last?.number ?? null;
    last = row;
    count += 1;
    octets += row.octets;
  }
  return last?.number ?? null;
}
