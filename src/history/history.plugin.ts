import { feature, moduleOf } from '../plugins/feature.js';

export const HISTORY = feature({
  name: 'history',
  core: async () => ({ modules: [(await import('./history.module.js')).HistoryModule] }),
  api: async () => ({
    modules: [
      moduleOf('HistoryV1', {
        controllers: [
          (await import('./v1/history.controller.js')).HistoryController,
          (await import('./v1/changes-list.controller.js')).ChangesListController,
          (await import('./v1/changes-of-tenant.controller.js')).ChangesOfTenantController,
          (await import('./v1/deleted-domains.controller.js')).DeletedDomainsController,
        ],
        providers: [
          (await import('./v1/pipes/history-request.pipe.js')).HistoryRequestPipe,
          (await import('./v1/token-descriptions.js')).TokenDescriptions,
        ],
      }),
    ],
  }),
});
