import { Injectable } from '@nestjs/common';
import { TokenRepository } from '../auth/tokens/token.repository.js';
import type { Caller } from '../common/caller.js';
import { type Quota, type QuotaChange, fillQuota, UNLIMITED } from './quota.js';
import { QuotaRepository } from './quota.repository.js';
import type { Transaction } from '../database/transaction.js';
import { QuotasOptions } from './quotas.options.js';
import { type TenantUse, type ZoneContentsUse, ZoneUse } from '../zones/zone-limits.js';

@Injectable()
export class TenantQuotas {
  constructor(
    private readonly quotas: QuotaRepository,
    private readonly options: QuotasOptions,
  ) {}

  async of(tenantId: string): Promise<Quota> {
    return fillQuota(await this.quotas.find(tenantId), this.options.defaults);
  }

  async forChange(tx: Transaction, tenantId: string): Promise<Quota> {
    return fillQuota(await this.quotas.findForChange(tx, tenantId), this.options.defaults);
  }

  /** An unchanged limit keeps following the default. */
  alteredBy(stored: QuotaChange | null, change: QuotaChange): QuotaChange {
    const before = fillQuota(stored, this.options.defaults);
    return Object.fromEntries(
      Object.entries(change).filter(([limit, value]) => value !== undefined && before[limit as keyof Quota] !== value),
    );
  }
}

@Injectable()
export class QuotasService {
  constructor(
    private readonly stored: QuotaRepository,
    private readonly quotas: TenantQuotas,
  ) {}

  get(tenantId: string): Promise<Quota> {
    return this.quotas.of(tenantId);
  }

  async change(tenantId: string, change: QuotaChange, caller: Caller): Promise<Quota> {
    await this.stored.set(tenantId, (stored) => this.quotas.alteredBy(stored, change), caller);
    return this.quotas.of(tenantId);
  }

  reset(tenantId: string, caller: Caller): Promise<void> {
    return this.stored.delete(tenantId, caller);
  }
}

/** `null`: no limit, or not counted. */
export interface LimitInUse {
  readonly limit: number | null;
  readonly use: number | null;
}

export interface QuotaInUse {
  readonly tenantId: string;
  readonly zone: ZoneContentsUse | null;
  readonly limits: Readonly<Record<keyof Quota, LimitInUse>>;
}

/** Behaviour 8.9. */
@Injectable()
export class UseService {
  constructor(
    private readonly quotas: TenantQuotas,
    private readonly use: ZoneUse,
    private readonly tokens: TokenRepository,
  ) {}

  /** @param zoneId the zone whose records are counted; `null`: none */
  async of(caller: Caller, zoneId: string | null): Promise<QuotaInUse> {
    const zone = zoneId === null ? null : await this.use.ofZone(zoneId, caller);
    // The limits of the zone's owner apply, also to an admin.
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

  /** Tenants with zones or tokens, by name. @param after last tenant of the previous page; `''`: none */
  async tenants(after: string, prefix: string, limit: number): Promise<TenantUse[]> {
    const withTokens = await this.tokens.tenants(after, prefix, limit);
    const withZones = await this.use.tenants(after, prefix, limit);
    const zones = new Map(withTokens.map((tenantId) => [tenantId, 0]));
    for (const { tenantId, zones: count } of withZones) zones.set(tenantId, count);
    return [...zones]
      .filter(([tenantId]) => tenantId.startsWith(prefix))
      .sort(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
      .slice(0, limit)
      .map(([tenantId, count]) => ({ tenantId, zones: count }));
  }
}
