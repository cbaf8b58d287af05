import { definePlugin } from '../plugins/plugin.js';

/** What tenants may own and change: limits that always hold (behaviour 8.4), two extensions and version 2, which show the quotas. */
export const QUOTAS = definePlugin({
  name: 'quotas',
  zonewright: '*',
  schema: () => import('./quotas.schema.js'),
  core: async ({ config: { api, defaults } }) => {
    const { QuotaLimitsModule } = await import('./quota-limits.module.js');
    // Each process counts by itself.
    const rate = { perMinute: Math.ceil(api.changesPerMinute / api.workers) };
    return {
      modules: [QuotaLimitsModule.register({ defaults: defaults.quotas }, rate)],
      ports: (await import('./quota-limits.js')).PORTS,
    };
  },
  api: async ({ config: { central } }) => {
    const { FlatQuotasModule, ProjectQuotasModule, QuotasModule } = await import('./quotas.module.js');
    return {
      v2: [ProjectQuotasModule.register({ minTtl: central.minTtl })],
      adminExtensions: { quotas: QuotasModule },
      v1Extensions: { quotas: FlatQuotasModule },
    };
  },
});
