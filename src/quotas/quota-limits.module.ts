import { type DynamicModule, Module } from '@nestjs/common';
import { QuotaRepository } from './quota.repository.js';
import { ChangeRateOptions, QuotasOptions } from './quotas.options.js';
import { TenantQuotas } from './tenant-quotas.js';

/**
 * Enforces quotas, also where no extension shows them (behaviour 8.4). The module is global, so that enforcement and the
 * extensions use the same instances.
 */
@Module({})
export class QuotaLimitsModule {
  static register(options: QuotasOptions, rate: ChangeRateOptions): DynamicModule {
    return {
      module: QuotaLimitsModule,
      global: true,
      providers: [
        QuotaRepository,
        TenantQuotas,
        { provide: QuotasOptions, useValue: options },
        { provide: ChangeRateOptions, useValue: rate },
      ],
      exports: [QuotaRepository, TenantQuotas, ChangeRateOptions],
    };
  }
}
