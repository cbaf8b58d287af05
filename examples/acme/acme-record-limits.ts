import { Injectable } from '@nestjs/common';
import { type GrowthCheck, RecordLimits, ServiceError } from '../../src/index.js';
import { AcmeOptions } from './acme.options.js';

/** All zones of the team are small. */
@Injectable()
export class AcmeRecordLimits extends RecordLimits {
  constructor(private readonly options: AcmeOptions) {
    super();
  }

  override checkFor(): Promise<GrowthCheck> {
    const { recordsPerZone } = this.options;
    return Promise.resolve(({ zoneRecords }) => {
      if (zoneRecords === null || zoneRecords <= recordsPerZone) return;
      throw new ServiceError('over_quota', `A zone holds ${recordsPerZone} records, not ${zoneRecords}.`);
    });
  }
}
