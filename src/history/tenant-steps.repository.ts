import { Injectable } from '@nestjs/common';
import type { Instant } from '../common/clock.js';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import { inKeyOrder } from '../database/statements/walk.js';
import type { TimeCursor } from '../zones/journal/time-cursor.js';

/** A zone that is a tenant's, or was when it was deleted; then its name is in lower case. */
export interface OwnZone {
  readonly id: string;
  readonly name: string;
}

const EARLIER_SQL = (index: string): string =>
  `SELECT at, zone_id AS id, number FROM journal${index} WHERE (at, zone_id, number) < (?, ?, ?) AND at >= ?` +
  ' ORDER BY at DESC, zone_id DESC, number DESC LIMIT ?';
const EARLIER = new Statement<TimeCursor>(EARLIER_SQL(' INDEXED BY journal_in_time'), EARLIER_SQL(''));

const AMONG = 'IN (SELECT value FROM json_each(?))';
const AMONG_ON_POSTGRES = '= ANY (ARRAY(SELECT json_array_elements_text(?::json)))';
/** The sign keeps SQLite from the index of tenants, whose zones may be many. */
const THERE_SQL = 'SELECT id, name FROM zones WHERE';
const THERE = new Statement<OwnZone>(
  `${THERE_SQL} id ${AMONG} AND +tenant_id = ?`,
  `${THERE_SQL} id ${AMONG_ON_POSTGRES} AND tenant_id = ?`,
);
const GONE_SQL = (index: string, among: string): string =>
  `SELECT zone_id AS id, former_name AS name FROM journal${index}` +
  ` WHERE action = 'zone.delete' AND zone_id ${among} AND former_owner = ?`;
const GONE = new Statement<OwnZone>(
  GONE_SQL(' INDEXED BY journal_former_of_owner', AMONG),
  GONE_SQL('', AMONG_ON_POSTGRES),
);

/** Steps of all zones in time, and whose these are. */
@Injectable()
export class TenantStepsRepository {
  constructor(private readonly reads: Reads) {}

  /** Steps before a cursor, latest first, none of them from before an instant. */
  earlier({ at, id, number }: TimeCursor, since: Instant, limit: number): Promise<TimeCursor[]> {
    return this.reads.run((tx) => inKeyOrder(tx, () => EARLIER.rows(tx, [at, id, number, since, limit])));
  }

  /** Those of the zones that are the tenant's, or were when they were deleted. */
  async own(tenantId: string, zoneIds: readonly string[]): Promise<OwnZone[]> {
    const values = [JSON.stringify(zoneIds), tenantId];
    return this.reads.run(async (tx) => [...(await THERE.rows(tx, values)), ...(await GONE.rows(tx, values))]);
  }
}
