import { Injectable } from '@nestjs/common';

/** The port through which something may limit how much one synchronous export holds. */
export abstract class ExportLimits {
  /** @throws ServiceError `over_quota` */
  abstract assertExportAllowed(tenantId: string, recordCount: number): Promise<void>;
}

/** Without quotas there is no limit. */
@Injectable()
export class NoExportLimits extends ExportLimits {
  override assertExportAllowed(): Promise<void> {
    return Promise.resolve();
  }
}
