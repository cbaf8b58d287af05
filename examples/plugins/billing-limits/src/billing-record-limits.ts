import { Injectable } from '@nestjs/common';
import { type GrowthCheck, RecordLimits, ServiceError, type Transaction } from 'zonewright';
import { TenantLimits } from './tenant-limits.js';

/** Fills the port, in place of the quotas of records. */
@Injectable()
export class BillingRecordLimits extends RecordLimits {
  constructor(private readonly limits: TenantLimits) {
    super();
  }

  override async checkFor(_: Transaction, tenantId: string): Promise<GrowthCheck> {
    // A zone changed by another tenant may have an owner with unknown limits: the next change has them.
    void this.limits.load(tenantId);
    const limit = this.limits.recordsPerZone(tenantId);
    return ({ zoneRecords }) => {
      if (zoneRecords === null || zoneRecords <= limit) return;
      throw new ServiceError(
        'over_quota',
        `The plan has ${limit} records for a zone, and this would be ${zoneRecords}.`,
      );
    };
  }
}
