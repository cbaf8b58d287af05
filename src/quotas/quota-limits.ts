import { Injectable } from '@nestjs/common';
import { because } from '../common/refusal-facts.js';
import { ServiceError } from '../common/service-error.js';
import type { Transaction } from '../database/transaction.js';
import { ChangeLimits } from '../zones/changes/change-limits.js';
import { ZoneLimits } from '../zones/zone-limits.js';
import { type GrowthCheck, RecordLimits } from '../records/record-limits.js';
import { ExportLimits } from '../zone-files/export/export-limits.js';
import { ImportLimits } from '../zone-files/import/import-limits.js';
import { fill } from '../plugins/plugin.js';
import { ChangeRate } from './change-rate.js';
import { isWithin, UNLIMITED } from './quota.js';
import { TenantQuotas } from './tenant-quotas.js';

/** Limits the zones of a tenant by its quota (behaviour 8.3). */
@Injectable()
export class QuotaZoneLimits extends ZoneLimits {
  constructor(private readonly quotas: TenantQuotas) {
    super();
  }

  override async assertZoneAllowed(tx: Transaction, tenantId: string, zoneCount: number): Promise<void> {
    const { zones } = await this.quotas.forChange(tx, tenantId);
    assertWithin('zones', zones, zoneCount);
  }
}

/** Limits record sets and records of a zone by the quotas of its owner (behaviour 8.3). */
@Injectable()
export class QuotaRecordLimits extends RecordLimits {
  constructor(private readonly quotas: TenantQuotas) {
    super();
  }

  override async checkFor(tx: Transaction, tenantId: string): Promise<GrowthCheck> {
    const quota = await this.quotas.forChange(tx, tenantId);
    return (growth) => {
      assertWithin('zone_records', quota.zoneRecords, growth.zoneRecords);
      assertWithin('zone_recordsets', quota.zoneRecordsets, growth.zoneRecordsets);
      assertWithin('recordset_records', quota.recordsetRecords, growth.recordsetRecords);
    };
  }
}

/** Limits the records of an export by the quota of the zone's owner (behaviour 8.3). */
@Injectable()
export class QuotaExportLimits extends ExportLimits {
  constructor(private readonly quotas: TenantQuotas) {
    super();
  }

  override async assertExportAllowed(tenantId: string, recordCount: number): Promise<void> {
    const { apiExportSize } = await this.quotas.of(tenantId);
    if (isWithin(apiExportSize, recordCount)) return;
    const message = `The quota api_export_size is ${apiExportSize} and the domain has ${recordCount} records; ask an admin for more.`;
    throw ServiceError.because(
      'over_quota',
      because('over_quota', { quota: 'api_export_size', limit: apiExportSize, use: recordCount }),
      message,
    );
  }
}

/** Limits what `$GENERATE` makes of a zone file to the records that the owner may have in a zone (behaviour 15.3). */
@Injectable()
export class QuotaImportLimits extends ImportLimits {
  constructor(private readonly quotas: TenantQuotas) {
    super();
  }

  override async maxRecords(tenantId: string): Promise<number | null> {
    const { zoneRecords } = await this.quotas.of(tenantId);
    return zoneRecords === UNLIMITED ? null : zoneRecords;
  }
}

export const PORTS = [
  fill(ZoneLimits, QuotaZoneLimits),
  fill(RecordLimits, QuotaRecordLimits),
  fill(ExportLimits, QuotaExportLimits),
  fill(ImportLimits, QuotaImportLimits),
  fill(ChangeLimits, ChangeRate),
];

/**
 * @param count the use that the change would lead to; `null` where it adds nothing
 * @throws ServiceError `over_quota`
 */
function assertWithin(name: string, limit: number, count: number | null): void {
  if (count === null || isWithin(limit, count)) return;
  const message = `The quota ${name} is ${limit} and ${count} would be in use; delete some or ask an admin for more.`;
  throw ServiceError.because('over_quota', because('over_quota', { quota: name, limit, use: count }), message);
}
