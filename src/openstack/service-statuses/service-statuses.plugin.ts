import { feature, moduleOf } from '../../plugins/feature.js';

export const SERVICE_STATUSES = feature({
  name: 'service-statuses',
  entities: async () => [(await import('./service-status.repository.js')).ServiceStatusEntity],
  core: async () => {
    const { Heartbeat } = await import('./heartbeat.js');
    const { ServiceStatusRepository } = await import('./service-status.repository.js');
    const shared = [Heartbeat, ServiceStatusRepository];
    return {
      modules: [moduleOf('Heartbeat', { global: true, providers: shared, exports: shared })],
      background: [{ service: Heartbeat }],
    };
  },
  api: async () => ({
    v2: [
      moduleOf('ServiceStatuses', {
        controllers: [(await import('./v2/service-statuses.controller.js')).ServiceStatusesController],
        providers: [(await import('./heartbeat.js')).ServiceStatusesService],
      }),
    ],
  }),
});
