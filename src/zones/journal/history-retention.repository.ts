import { Injectable } from '@nestjs/common';
import { Clock, type Instant } from '../../common/clock.js';
import { Reads } from '../../database/reads.js';
import { Statement } from '../../database/statements/statement.js';
import type { Transaction } from '../../database/transaction.js';
import { UnitOfWork } from '../../database/unit-of-work.js';
import { HistoryHolds, LONGEST_HOLD } from './history-holds.js';

/** The key leads from zone to zone, past all rows but their first and last. */
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
 * That a zone was made, handed on or deleted stays in the audit (behaviour 14.6). Where the zone is gone, its last row, which
 * goes last, has its name and owner.
 */
const KEEP_FOR_AUDIT = new Statement(
  'INSERT INTO audit_entries (at, id, number, action, owner_id, tenant_id, token_id, user_name, address, request_id,' +
    ' zone_id, zone_name, change_id, serial)' +
    ' SELECT j.at, j.zone_id, j.number, j.action, COALESCE(z.tenant_id, l.former_owner), j.tenant_id, j.token_id,' +
    ' j.user_name, j.address, j.request_id, j.zone_id, COALESCE(z.name, l.former_name), j.change_id, j.serial' +
    ' FROM journal j LEFT JOIN zones z ON z.id = j.zone_id' +
    ' LEFT JOIN journal l ON l.zone_id = j.zone_id AND l.number =' +
    ' (SELECT MAX(m.number) FROM journal m WHERE m.zone_id = j.zone_id)' +
    " WHERE j.zone_id = ? AND j.number <= ? AND j.action IN ('zone.create', 'zone.transfer', 'zone.delete')",
);
const DELETE_UP_TO = new Statement('DELETE FROM journal WHERE zone_id = ? AND number <= ?');

/** Zones that are looked at together: some milliseconds. */
const ZONES_AT_ONCE = 500;
/** A portion is removed while nobody else writes: so many rows, or so many octets. */
const PORTION_ROWS = 1000;
const PORTION_OCTETS = 4_194_304;
/** Rows that are looked at together. A large one is found behind all of its octets, so few are looked at in vain. */
const PAGE_ROWS = 50;

interface AgedRow {
  readonly number: number;
  readonly changeId: string;
  readonly at: Instant;
  readonly octets: number;
}

/** What of a zone's history is still kept. */
export interface RetainedHistory {
  readonly zoneId: string;
  /** When its first change was made. */
  readonly oldestAt: Instant;
  /** The same of its last. */
  readonly latestAt: Instant;
  readonly isDeleted: boolean;
}

/** The journal, read from its oldest row. */
@Injectable()
export class HistoryRetentionRepository {
  constructor(
    private readonly reads: Reads,
    private readonly unitOfWork: UnitOfWork,
    private readonly claims: HistoryHolds,
    private readonly clock: Clock,
  ) {}

  /** Of the zones whose ids come next after `zoneId`; none behind the last one. */
  async ofNextZones(zoneId: string): Promise<RetainedHistory[]> {
    const rows = await this.reads.run((tx) => OLDEST_OF_NEXT_ZONES.rows(tx, [zoneId, ZONES_AT_ONCE]));
    return rows.map(({ zoneId: id, at, livingId, latestAt }) => ({
      zoneId: id,
      oldestAt: at,
      latestAt: latestAt ?? Infinity,
      isDeleted: livingId === null,
    }));
  }

  /**
   * Removes a portion of the zone's oldest changes, as long as they are older than `before`, and nobody has a claim to them.
   * @returns whether there may be more
   */
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

/**
 * The number of the last row that goes; `null` when all of them stay. A portion ends with a change, unless that alone is
 * larger.
 */
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
