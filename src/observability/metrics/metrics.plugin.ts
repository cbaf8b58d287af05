import { feature, moduleOf } from '../../plugins/feature.js';

/** What Prometheus reads (behaviour 16.3). */
export const METRICS = feature({
  name: 'metrics',
  // Whatever program has the services: the name server alone shows its figures too.
  core: async () => ({
    modules: [moduleOf('Figures', { providers: [(await import('./service-metrics.js')).ServiceFigures] })],
  }),
  api: async ({ config: { metrics } }) => {
    if (metrics.listen !== null) return {};
    const { MetricsController } = await import('./metrics.controller.js');
    return { modules: [moduleOf('Metrics', { controllers: [MetricsController] })] };
  },
});
