import { definePlugin } from '../../plugins/plugin.js';

/** What Prometheus reads (behaviour 16.3). */
export const METRICS = definePlugin({
  name: 'metrics',
  zonewright: '*',
  core: async () => ({ modules: [(await import('./metrics-core.module.js')).MetricsCoreModule] }),
  api: async ({ config }) => ({
    modules: [(await import('./metrics.module.js')).MetricsModule.register(config.metrics.listen === null)],
  }),
});
