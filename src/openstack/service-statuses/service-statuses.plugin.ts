import { definePlugin } from '../../plugins/plugin.js';

/** Which services run: what version 2 lists as their statuses. */
export const SERVICE_STATUSES = definePlugin({
  name: 'service-statuses',
  zonewright: '*',
  schema: () => import('./service-statuses.schema.js'),
  core: async () => ({ modules: [(await import('./service-statuses-core.module.js')).ServiceStatusesCoreModule] }),
  api: async () => ({ v2: [(await import('./service-statuses.module.js')).ServiceStatusesModule] }),
});
