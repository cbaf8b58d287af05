import { feature, moduleOf } from '../plugins/feature.js';

/** Behaviour 16. */
export const HEALTH = feature({
  name: 'health',
  api: async () => ({
    modules: [
      moduleOf('Health', {
        controllers: [(await import('./v1/health.controller.js')).HealthController],
        providers: [(await import('./readiness.js')).Readiness],
      }),
    ],
  }),
});

/** Behaviour 16.3. */
export const METRICS = feature({
  name: 'metrics',
  // In `core`, so that the name server alone also has these metrics.
  core: async () => ({
    modules: [moduleOf('Figures', { providers: [(await import('./service-metrics.js')).ServiceFigures] })],
  }),
  api: async ({ config: { metrics } }) => {
    if (metrics.listen !== null) return {};
    const { MetricsController } = await import('./metrics-server.js');
    return { modules: [moduleOf('Metrics', { controllers: [MetricsController] })] };
  },
});
