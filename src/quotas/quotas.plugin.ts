import { definePlugin } from '../plugins/plugin.js';

/** What tenants may own: limits that always hold (behaviour 8.4), and two extensions that show and change them. */
export const QUOTAS = definePlugin({
  name: 'quotas',
  zonewright: '*',
  schema: () => import('./quotas.schema.js'),
  core: async ({ config: { defaults } }) => {
    const { QuotaLimitsModule } = await import('./quota-limits.module.js');
    return {
      modules: [QuotaLimitsModule.register({ defaults: defaults.quotas })],
      ports: (await import('./quota-limits.js')).PORTS,
    };
  },
  api: async () => {
    const { FlatQuotasModule, QuotasModule } = await import('./quotas.module.js');
    return { adminExtensions: { quotas: QuotasModule }, v1Extensions: { quotas: FlatQuotasModule } };
  },
});
