import { Injectable, Logger } from '@nestjs/common';
import { ServiceError } from '../common/service-error.js';
import { TokenBucket } from '../common/waiting/token-bucket.js';
import { RATE_LIMIT_REFUSALS } from '../observability/metrics.js';
import { ChangeLimits, type ChangeOrigin } from '../zones/changes/change-limits.js';
import { ChangeRateOptions } from './quotas.options.js';
import { because } from '../common/refusal-facts.js';
import type { Transaction } from '../database/transaction.js';
import { ZoneLimits } from '../zones/zone-limits.js';
import { type GrowthCheck, RecordLimits } from '../records/record-limits.js';
import { ExportLimits } from '../zone-files/export/export-limits.js';
import { ImportLimits } from '../zone-files/import/import-limits.js';
import { fill } from '../plugins/plugin.js';
import { isWithin, UNLIMITED } from './quota.js';
import { TenantQuotas } from './quotas.service.js';

const MINUTE = 60_000;

/**
 * One token bucket for each tenant, with one minute of changes (behaviour 8.7). A change starts with one token and may
 * leave a debt of at most one minute, because its weight is known only afterwards.
 */
@Injectable()
export class ChangeRate extends ChangeLimits {
  private readonly logger = new Logger('Zonewright');
  /** Changes from primaries do not use up the tenant's own tokens. */
  private readonly buckets: Readonly<Record<ChangeOrigin, Map<string, TokenBucket>>> = {
    tenant: new Map(),
    master: new Map(),
  };
  private sweptAt = performance.now();
  private hasWarned = false;

  constructor(private readonly options: ChangeRateOptions) {
    super();
  }

  override async run<T>(
    tenantId: string,
    change: (weigh: (weight: number) => void) => Promise<T>,
    origin: ChangeOrigin = 'tenant',
  ): Promise<T> {
    const { perMinute } = this.options;
    if (perMinute === 0) return change(() => undefined);
    const buckets = this.buckets[origin];
    const bucket = this.bucketOf(tenantId, buckets);
    if (!bucket.tryTake()) throw this.refusal(tenantId, bucket);
    let weight = 1;
    try {
      return await change((weighed) => (weight = weighed));
    } catch (error) {
      // The tenant did not cause `unavailable`. Rejected changes pay, because they have read the zone.
      if (!(error instanceof ServiceError) || error.code === 'unavailable') weight = 1;
      throw error;
    } finally {
      // A long change may have outlived its bucket.
      if (weight > 1) this.bucketOf(tenantId, buckets).takeInAdvance(Math.min(weight - 1, perMinute));
    }
  }

  private bucketOf(tenantId: string, buckets: Map<string, TokenBucket>): TokenBucket {
    this.sweep(performance.now());
    const { perMinute } = this.options;
    let bucket = buckets.get(tenantId);
    if (bucket === undefined) {
      bucket = new TokenBucket(MINUTE / perMinute, perMinute);
      buckets.set(tenantId, bucket);
    }
    return bucket;
  }

  private sweep(now: number): void {
    if (now - this.sweptAt < MINUTE) return;
    this.sweptAt = now;
    this.hasWarned = false;
    for (const buckets of Object.values(this.buckets))
      for (const [tenantId, bucket] of buckets) if (bucket.isFull) buckets.delete(tenantId);
  }

  private refusal(tenantId: string, bucket: TokenBucket): ServiceError {
    this.warnOf(tenantId);
    RATE_LIMIT_REFUSALS.of('changes').add();
    const seconds = Math.max(1, Math.ceil(bucket.timeToNext() / 1000));
    return new ServiceError(
      'rate_limited',
      `The tenant has reached its limit of changes per minute; try again in ${seconds} s.`,
      [],
      seconds,
    );
  }

  private warnOf(tenantId: string): void {
    if (this.hasWarned) return;
    this.hasWarned = true;
    this.logger.warn(
      `Tenant ${JSON.stringify(tenantId)} exceeds changes_per_minute. Rejecting its changes until it is below the limit.`,
    );
  }
}

/** Behaviour 8.3. */
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

/** The quotas of the zone's owner apply (behaviour 8.3). */
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

/** The quota of the zone's owner applies (behaviour 8.3). */
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

/** Limits `$GENERATE` to the records that the owner may have in a zone (behaviour 15.3). */
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

/** @param count the resulting use; `null` if the change adds nothing */
function assertWithin(name: string, limit: number, count: number | null): void {
  if (count === null || isWithin(limit, count)) return;
  const message = `The quota ${name} is ${limit} and ${count} would be in use; delete some or ask an admin for more.`;
  throw ServiceError.because('over_quota', because('over_quota', { quota: name, limit, use: count }), message);
}
