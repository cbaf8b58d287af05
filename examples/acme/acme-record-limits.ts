import { Injectable } from '@nestjs/common';
import { type RecordGrowth, RecordLimits, ServiceError, type Transaction } from '../../src/index.js';
import { AcmeOptions } from './acme.options.js';

/** All zones of the team are small. */
@Injectable()
export class AcmeRecordLimits extends RecordLimits {
  constructor(private readonly options: AcmeOptions) {
    super();
  }

  override assertGrowthAllowed(_: Transaction, { zoneRecords }: RecordGrowth): Promise<void> {
    const { recordsPerZone } = this.options;
    if (zoneRecords === null || zoneRecords <= recordsPerZone) return Promise.resolve();
    const message = `A zone holds ${recordsPerZone} records, not ${zoneRecords}.`;
    return Promise.reject(new ServiceError('over_quota', message));
  }
}
