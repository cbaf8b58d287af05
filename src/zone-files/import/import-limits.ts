import { Injectable } from '@nestjs/common';

/** Port: limits the records of one import. */
export abstract class ImportLimits {
  /** Maximum of records in a zone of the tenant; `null`: no limit. */
  abstract maxRecords(tenantId: string): Promise<number | null>;
}

/** Without quotas. */
@Injectable()
export class NoImportLimits extends ImportLimits {
  override maxRecords(): Promise<null> {
    return Promise.resolve(null);
  }
}
