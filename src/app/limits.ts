import type { Provider } from '@nestjs/common';
import { ZoneLimits, NoZoneLimits } from '../zones/zone-limits.js';
import { QuotaZoneLimits, QuotaExportLimits, QuotaRecordLimits } from '../quotas/quota-limits.js';
import { NoRecordLimits, RecordLimits } from '../records/record-limits.js';
import { ExportLimits, NoExportLimits } from '../zone-files/export-limits.js';

/** Who fills each of the ports through which growth is limited. */
export interface LimitBindings {
  readonly zones: Provider;
  readonly records: Provider;
  readonly exports: Provider;
}

/** The tenants' quotas: what the service runs with, whether or not an extension shows them (behaviour 8.4). */
export const QUOTA_LIMITS: LimitBindings = {
  zones: { provide: ZoneLimits, useExisting: QuotaZoneLimits },
  records: { provide: RecordLimits, useExisting: QuotaRecordLimits },
  exports: { provide: ExportLimits, useExisting: QuotaExportLimits },
};

/** An operator at the command line is not held to the tenants' quotas. */
export const NO_LIMITS: LimitBindings = {
  zones: { provide: ZoneLimits, useClass: NoZoneLimits },
  records: { provide: RecordLimits, useClass: NoRecordLimits },
  exports: { provide: ExportLimits, useClass: NoExportLimits },
};
