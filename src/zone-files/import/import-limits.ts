import { Injectable } from '@nestjs/common';

/** The port through which something may limit what one import takes in. */
export abstract class ImportLimits {
  /** How many records a zone of the tenant may have; `null` for no limit. */
  abstract maxRecords(tenantId: string): Promise<number | null>;
}

/** Without quotas there is no limit. */
@Injectable()
export class NoImportLimits extends ImportLimits {
  override maxRecords(): Promise<null> {
    return Promise.resolve(null);
  }
}
