import { definePlugin } from '../../plugins/plugin.js';

/** For whoever watches the process. */
export const HEALTH = definePlugin({
  name: 'health',
  zonewright: '*',
  api: async () => ({ modules: [(await import('./health.module.js')).HealthModule] }),
});
