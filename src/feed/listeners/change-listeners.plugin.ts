import { definePlugin, fill } from '../../plugins/plugin.js';

/** Code of plugins that learns of every change (behaviour 19). */
export const CHANGE_LISTENERS = definePlugin({
  name: 'change-listeners',
  zonewright: '*',
  schema: () => import('./change-listeners.schema.js'),
  core: async () => {
    const { ChangeListenersCoreModule } = await import('./change-listeners-core.module.js');
    const { HistoryHolds } = await import('../../zones/journal/history-holds.js');
    const { HoldsOfListeners } = await import('./listener-position.repository.js');
    return { modules: [ChangeListenersCoreModule], ports: [fill(HistoryHolds, HoldsOfListeners)] };
  },
});
