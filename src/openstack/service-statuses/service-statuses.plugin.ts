import { feature, moduleOf } from '../../plugins/feature.js';

/** Which services run: what version 2 lists as their statuses. */
export const SERVICE_STATUSES = feature({
  name: 'service-statuses',
  schema: async () => ({
    // The migration of zone names makes the table.
    entities: [(await import('./service-status.entity.js')).ServiceStatusEntity],
    migrations: [],
  }),
  core: async () => {
    const { Heartbeat } = await import('./heartbeat.js');
    const { ServiceStatusRepository } = await import('./service-status.repository.js');
    const shared = [Heartbeat, ServiceStatusRepository];
    return { modules: [moduleOf('Heartbeat', { global: true, providers: shared, exports: shared })] };
  },
  api: async () => ({
    v2: [
      moduleOf('ServiceStatuses', {
        controllers: [(await import('./v2/service-statuses.controller.js')).ServiceStatusesController],
        providers: [(await import('./service-statuses.service.js')).ServiceStatusesService],
      }),
    ],
  }),
});
