import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { Reads } from '../database/reads.js';
import { Statement } from '../database/statements/statement.js';
import { type TenantUse, type ZoneContentsUse, ZoneUse } from './zone-limits.js';
import { ZoneRepository } from './zone.repository.js';

const ZONES_OF = new Statement<{ readonly zones: number }>('SELECT zone_count AS zones FROM tenants WHERE id = ?');
const TENANTS = new Statement<TenantUse>(
  'SELECT id AS "tenantId", zone_count AS zones FROM tenants WHERE id > ? ORDER BY id LIMIT ?',
);

/** Counted with each change, so that nothing is counted here. */
@Injectable()
export class StoredZoneUse extends ZoneUse {
  constructor(
    private readonly reads: Reads,
    private readonly zones: ZoneRepository,
  ) {
    super();
  }

  override async zonesOf(tenantId: string): Promise<number> {
    return (await this.reads.run((tx) => ZONES_OF.first(tx, [tenantId])))?.zones ?? 0;
  }

  override async ofZone(zoneId: string, caller: Caller): Promise<ZoneContentsUse> {
    const { id, name, tenantId, recordCount, recordSetCount } = await this.zones.find(zoneId, caller);
    return { id, name, tenantId, records: recordCount, recordSets: recordSetCount };
  }

  override tenants(after: string, limit: number): Promise<TenantUse[]> {
    return this.reads.run((tx) => TENANTS.rows(tx, [after, limit]));
  }
}
