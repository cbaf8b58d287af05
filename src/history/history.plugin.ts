import { definePlugin } from '../plugins/plugin.js';

/** What zones were: their history, their earlier states, and what differs between two of them. */
export const HISTORY = definePlugin({
  name: 'history',
  zonewright: '*',
  core: async () => ({ modules: [(await import('./history-core.module.js')).HistoryCoreModule] }),
  api: async () => ({ modules: [(await import('./history.module.js')).HistoryModule] }),
});
