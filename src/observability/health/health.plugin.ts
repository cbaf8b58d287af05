import { feature, moduleOf } from '../../plugins/feature.js';

/** For whoever watches the process. */
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
