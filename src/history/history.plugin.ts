import { definePlugin } from '../plugins/plugin.js';

/** What zones were: their history. */
export const HISTORY = definePlugin({
  name: 'history',
  zonewright: '*',
  core: async () => ({ modules: [(await import('./history-core.module.js')).HistoryCoreModule] }),
  api: async () => ({ modules: [(await import('./history.module.js')).HistoryModule] }),
});
