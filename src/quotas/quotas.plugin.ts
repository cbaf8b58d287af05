import { feature, moduleOf } from '../plugins/feature.js';

/** Behaviour 8.4. */
export const QUOTAS = feature({
  name: 'quotas',
  entities: async () => [(await import('./quota.repository.js')).QuotaEntity],
  // Enforced even if no extension shows them.
  core: async ({ config: { api, defaults } }) => {
    const { ChangeRateOptions, QuotasOptions } = await import('./quotas.options.js');
    const { QuotaRepository } = await import('./quota.repository.js');
    const { TenantQuotas } = await import('./quotas.service.js');
    // Each process counts its own changes.
    const rate = { perMinute: Math.ceil(api.changesPerMinute / api.workers) };
    const module = moduleOf('QuotaLimits', {
      global: true,
      providers: [
        QuotaRepository,
        TenantQuotas,
        { provide: QuotasOptions, useValue: { defaults: defaults.quotas } },
        { provide: ChangeRateOptions, useValue: rate },
      ],
      exports: [QuotaRepository, TenantQuotas, ChangeRateOptions],
    });
    return { modules: [module], ports: (await import('./quota-limits.js')).PORTS };
  },
  api: async ({ config: { central } }) => {
    const { LimitsOptions } = await import('./quotas.options.js');
    const { QuotasService } = await import('./quotas.service.js');
    const projectQuotas = moduleOf('ProjectQuotas', {
      controllers: [
        (await import('./v2/project-quotas.controller.js')).ProjectQuotasController,
        (await import('./v2/limits.controller.js')).LimitsController,
      ],
      providers: [QuotasService, { provide: LimitsOptions, useValue: { minTtl: central.minTtl } }],
    });
    const quotas = moduleOf('Quotas', {
      controllers: [(await import('./admin/quotas.controller.js')).QuotasController],
      providers: [QuotasService],
    });
    const flatQuotas = moduleOf('FlatQuotas', {
      controllers: [(await import('./v1/flat-quotas.controller.js')).FlatQuotasController],
      providers: [QuotasService],
    });
    const usage = moduleOf('Usage', {
      controllers: [(await import('./v1/usage.controller.js')).UsageController],
      providers: [(await import('./quotas.service.js')).UseService],
    });
    return { modules: [usage], v2: [projectQuotas], adminExtensions: { quotas }, v1Extensions: { quotas: flatQuotas } };
  },
});
