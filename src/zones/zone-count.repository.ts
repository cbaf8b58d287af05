import { Injectable } from '@nestjs/common';
import { nextTurn } from '../common/waiting/event-loop-turns.js';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import type { TenantUse } from './zone-limits.js';

const ZONES_OF = new Statement<{ readonly zones: number }>('SELECT zone_count AS zones FROM tenants WHERE id = ?');
const TENANTS = new Statement<TenantUse>(
  'SELECT id AS "tenantId", zone_count AS zones FROM tenants WHERE id > ? ORDER BY id LIMIT ?',
);
const TENANTS_AT_A_TIME = 1000;

/** How many zones tenants own. It is kept with each change, so that nothing is counted here. */
@Injectable()
export class ZoneCountRepository {
  constructor(private readonly reads: Reads) {}

  async ofTenant(tenantId: string): Promise<number> {
    return (await this.reads.run((tx) => ZONES_OF.first(tx, [tenantId])))?.zones ?? 0;
  }

  /** Those of all tenants together. */
  async ofAll(): Promise<number> {
    let total = 0;
    for (let after = ''; ;) {
      const tenants = await this.tenants(after, TENANTS_AT_A_TIME);
      total += tenants.reduce((sum, { zones }) => sum + zones, 0);
      const last = tenants.at(-1);
      if (last === undefined || tenants.length < TENANTS_AT_A_TIME) return total;
      after = last.tenantId;
      await nextTurn();
    }
  }

  /** Tenants in the order of their names, behind another one. */
  tenants(after: string, limit: number): Promise<TenantUse[]> {
    return this.reads.run((tx) => TENANTS.rows(tx, [after, limit]));
  }
}
