import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { ZoneCountRepository } from './zone-count.repository.js';
import { type TenantUse, type ZoneContentsUse, ZoneUse } from './zone-limits.js';
import { ZoneRepository } from './zone.repository.js';

/** Counted with each change, so that nothing is counted here. */
@Injectable()
export class StoredZoneUse extends ZoneUse {
  constructor(
    private readonly counts: ZoneCountRepository,
    private readonly zones: ZoneRepository,
  ) {
    super();
  }

  override zonesOf(tenantId: string): Promise<number> {
    return this.counts.ofTenant(tenantId);
  }

  override async ofZone(zoneId: string, caller: Caller): Promise<ZoneContentsUse> {
    const { id, name, tenantId, recordCount, recordSetCount } = await this.zones.find(zoneId, caller);
    return { id, name, tenantId, records: recordCount, recordSets: recordSetCount };
  }

  override tenants(after: string, limit: number): Promise<TenantUse[]> {
    return this.counts.tenants(after, limit);
  }
}
