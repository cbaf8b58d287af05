import { Injectable } from '@nestjs/common';

/** Port: limits the records of one synchronous export. */
export abstract class ExportLimits {
  /** @throws ServiceError `over_quota` */
  abstract assertExportAllowed(tenantId: string, recordCount: number): Promise<void>;
}

/** Without quotas. */
@Injectable()
export class NoExportLimits extends ExportLimits {
  override assertExportAllowed(): Promise<void> {
    return Promise.resolve();
  }
}
