import { type DynamicModule, Module } from '@nestjs/common';
import { QuotaZoneLimits, QuotaExportLimits, QuotaRecordLimits } from './quota-limits.js';
import { QuotaRepository } from './quota.repository.js';
import { QuotasOptions } from './quotas.options.js';
import { TenantQuotas } from './tenant-quotas.js';

/**
 * The part of quotas that is always there: limits hold whether or not anybody may see them (behaviour 8.4). Global,
 * because what fills a port and what changes quotas must be one and the same.
 */
@Module({})
export class QuotaLimitsModule {
  static register(options: QuotasOptions): DynamicModule {
    return {
      module: QuotaLimitsModule,
      global: true,
      providers: [
        QuotaRepository,
        TenantQuotas,
        QuotaZoneLimits,
        QuotaRecordLimits,
        QuotaExportLimits,
        { provide: QuotasOptions, useValue: options },
      ],
      exports: [QuotaRepository, TenantQuotas, QuotaZoneLimits, QuotaRecordLimits, QuotaExportLimits],
    };
  }
}
