import { definePlugin } from '../plugins/plugin.js';

/** What zones were: their history, their earlier states, and what differs between two of them. */
export const HISTORY = definePlugin({
  name: 'history',
  zonewright: '*',
  core: async ({ config: { api } }) => {
    const { HistoryCoreModule } = await import('./history-core.module.js');
    const { ConcurrencyLimit } = await import('../common/concurrency-limit.js');
    const comparisons = new ConcurrencyLimit('comparisons', api.maxStreams);
    return { modules: [HistoryCoreModule.register({ comparisons })] };
  },
  api: async () => ({ modules: [(await import('./history.module.js')).HistoryModule] }),
});
