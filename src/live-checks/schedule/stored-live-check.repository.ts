import { Injectable } from '@nestjs/common';
import type { Instant } from '../../common/clock.js';
import { bulkDelete, bulkInsert, bulkSet, bulkUpsert } from '../../database/statements/bulk-write.js';
import { Statement } from '../../database/statements/statement.js';
import { forEachDatabase, indexedBy, lookedUp, primaryKeyOf } from '../../database/statements/walk.js';
import type { Transaction } from '../../database/transaction.js';
import type { WorkScope } from '../../database/unit-of-work.js';
import type { StoredLiveCheckEntity } from './stored-live-check.entity.js';

export interface DueCheck {
  readonly zoneId: string;
  readonly tenantId: string;
  readonly nextAt: Instant;
}

/** A zone with the parts of its row that the schedule needs; `null` without a row. */
export interface ScheduledZone extends Pick<StoredLiveCheckEntity, 'zoneId' | 'nextAt'> {
  readonly errors: number | null;
  readonly warnings: number | null;
}

/** A result whose event is not told yet. */
export interface UntoldCheck extends Pick<
  StoredLiveCheckEntity,
  'zoneId' | 'errors' | 'warnings' | 'notices' | 'failing' | 'findings'
> {
  readonly eventAt: Instant;
  readonly name: string;
  readonly tenantId: string;
  readonly labels: string | null;
}

/** Of all writes. */
export const SCOPE: WorkScope = { queue: 'live checks', sharesConnections: true };

const FIND_SQL =
  'SELECT zone_id AS "zoneId", next_at AS "nextAt", checked_at AS "checkedAt", is_complete AS "isComplete", queries,' +
  ' errors, warnings, notices, event_at AS "eventAt", failing, findings FROM live_checks WHERE zone_id = ?';
const FIND = new Statement<StoredLiveCheckEntity>(FIND_SQL);
const LOCK = new Statement<StoredLiveCheckEntity>(FIND_SQL, `${FIND_SQL} FOR UPDATE`);
/** The join skips deleted zones. */
const DUE = new Statement<DueCheck>(
  ...forEachDatabase(
    'SELECT l.zone_id AS "zoneId", zones.tenant_id AS "tenantId", l.next_at AS "nextAt"' +
      ` FROM live_checks l${indexedBy('live_checks_due')}${lookedUp('zones', 'zones.id = l.zone_id')}` +
      ' WHERE l.next_at <= ? AND (l.next_at, l.zone_id) > (?, ?) ORDER BY l.next_at, l.zone_id LIMIT ?',
  ),
);
const ZONES = new Statement<ScheduledZone>(
  ...forEachDatabase(
    'SELECT z.id AS "zoneId", l.next_at AS "nextAt", l.errors, l.warnings' +
      ` FROM zones z${indexedBy(primaryKeyOf('zones'))} LEFT JOIN live_checks l ON l.zone_id = z.id` +
      ' WHERE z.id > ? ORDER BY z.id LIMIT ?',
  ),
);
const ROWS = new Statement<{ readonly zoneId: string; readonly isLost: number }>(
  'SELECT l.zone_id AS "zoneId", CASE WHEN EXISTS (SELECT 1 FROM zones z WHERE z.id = l.zone_id) THEN 0 ELSE 1 END' +
    ' AS "isLost" FROM live_checks l WHERE l.zone_id > ? ORDER BY l.zone_id LIMIT ?',
);
const UNTOLD = new Statement<UntoldCheck>(
  ...forEachDatabase(
    'SELECT l.zone_id AS "zoneId", l.event_at AS "eventAt", l.errors, l.warnings, l.notices, l.failing, l.findings,' +
      ' zones.name, zones.tenant_id AS "tenantId", zones.labels' +
      ` FROM live_checks l${indexedBy('live_checks_untold')}${lookedUp('zones', 'zones.id = l.zone_id')}` +
      ' WHERE l.event_at IS NOT NULL ORDER BY l.event_at, l.zone_id LIMIT ?',
  ),
);

const KEY = { zone_id: 'text' } as const;
const TIMES = { next_at: 'bigint', checked_at: 'bigint', event_at: 'bigint' } as const;
const COUNTS = { queries: 'integer', errors: 'integer', warnings: 'integer', notices: 'integer' } as const;
const RESULT = { ...TIMES, ...COUNTS, is_complete: 'integer', failing: 'text', findings: 'text' } as const;
const STORE = bulkUpsert('live_checks', KEY, RESULT);
const SCHEDULE = bulkInsert(
  'live_checks',
  { ...KEY, ...RESULT },
  'ON CONFLICT (zone_id) DO UPDATE SET next_at = excluded.next_at',
);
/** Not if the zone has changed its state again. */
const TELL = bulkSet('live_checks', { zone_id: 'text', event_at: 'bigint' }, 'event_at = NULL');
const DELETE = bulkDelete('live_checks', KEY);
const NO_RESULT = {
  ...{ checkedAt: null, isComplete: 0, queries: 0, errors: 0, warnings: 0, notices: 0 },
  ...{ eventAt: null, failing: null, findings: '[]' },
};

/** Stores the last live check of each zone, and when the next one is due. */
@Injectable()
export class StoredLiveCheckRepository {
  find(tx: Transaction, zoneId: string): Promise<StoredLiveCheckEntity | undefined> {
    return FIND.first(tx, [zoneId]);
  }

  findLocked(tx: Transaction, zoneId: string): Promise<StoredLiveCheckEntity | undefined> {
    return LOCK.first(tx, [zoneId]);
  }

  store(tx: Transaction, row: Readonly<StoredLiveCheckEntity>): Promise<void> {
    return STORE.runAll(tx, [{ ...row }]);
  }

  /** Keeps the results. */
  schedule(tx: Transaction, zones: readonly Pick<StoredLiveCheckEntity, 'zoneId' | 'nextAt'>[]): Promise<void> {
    return SCHEDULE.runAll(
      tx,
      zones.map((zone) => ({ ...NO_RESULT, ...zone })),
    );
  }

  /** Due zones after another one, the longest waiting first. */
  due(tx: Transaction, now: Instant, after: DueCheck | undefined, limit: number): Promise<DueCheck[]> {
    const { nextAt, zoneId } = after ?? { nextAt: Number.MIN_SAFE_INTEGER, zoneId: '' };
    return DUE.rows(tx, [now, nextAt, zoneId, limit]);
  }

  /** The longest waiting first. */
  untold(tx: Transaction, limit: number): Promise<UntoldCheck[]> {
    return UNTOLD.rows(tx, [limit]);
  }

  markTold(tx: Transaction, checks: readonly Pick<UntoldCheck, 'zoneId' | 'eventAt'>[]): Promise<void> {
    return TELL.run(
      tx,
      checks.map(({ zoneId, eventAt }) => [zoneId, eventAt]),
    );
  }

  zones(tx: Transaction, after: string, limit: number): Promise<ScheduledZone[]> {
    return ZONES.rows(tx, [after, limit]);
  }

  /** `isLost` is 1 if the zone was deleted. */
  rows(tx: Transaction, after: string, limit: number): Promise<{ zoneId: string; isLost: number }[]> {
    return ROWS.rows(tx, [after, limit]);
  }

  delete(tx: Transaction, zoneIds: readonly string[]): Promise<void> {
    return DELETE.run(
      tx,
      zoneIds.map((id) => [id]),
    );
  }
}
