import { Injectable } from '@nestjs/common';
import type { Caller } from '../common/caller.js';
import { type TenantUse, type ZoneContentsUse, ZoneUse } from '../zones/zone-limits.js';
import { type Quota, UNLIMITED } from './quota.js';
import { TenantQuotas } from './tenant-quotas.js';

/** A limit, and how much of it is in use; `null` where there is none, and where it is not counted. */
export interface LimitInUse {
  readonly limit: number | null;
  readonly use: number | null;
}

export interface QuotaInUse {
  readonly tenantId: string;
  readonly zone: ZoneContentsUse | null;
  readonly limits: Readonly<Record<keyof Quota, LimitInUse>>;
}

/** What tenants have beside what they may have (behaviour 8.9). */
@Injectable()
export class UseService {
  constructor(
    private readonly quotas: TenantQuotas,
    private readonly use: ZoneUse,
  ) {}

  /**
   * @param zoneId of the zone whose records are counted; `null`: none
   * @throws ServiceError `zone_not_found`
   */
  async of(caller: Caller, zoneId: string | null): Promise<QuotaInUse> {
    const zone = zoneId === null ? null : await this.use.ofZone(zoneId, caller);
    // Its owner's limits hold for a zone, whoever asks.
    const tenantId = zone?.tenantId ?? caller.tenantId;
    const [quota, zones] = [await this.quotas.of(tenantId), await this.use.zonesOf(tenantId)];
    const inUse = (limit: number, use: number | null) => ({ limit: limit === UNLIMITED ? null : limit, use });
    return {
      tenantId,
      zone,
      limits: {
        zones: inUse(quota.zones, zones),
        zoneRecords: inUse(quota.zoneRecords, zone?.records ?? null),
        zoneRecordsets: inUse(quota.zoneRecordsets, zone?.recordSets ?? null),
        recordsetRecords: inUse(quota.recordsetRecords, null),
        apiExportSize: inUse(quota.apiExportSize, zone?.records ?? null),
      },
    };
  }

  /** In the order of their names. @param after the last one that was seen; `''` for none */
  tenants(after: string, limit: number): Promise<TenantUse[]> {
    return this.use.tenants(after, limit);
  }
}
