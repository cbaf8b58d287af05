import { definePlugin, fill } from '../../plugins/plugin.js';

/** Code of plugins that learns of every change (behaviour 19). */
export const CHANGE_LISTENERS = definePlugin({
  name: 'change-listeners',
  zonewright: '*',
  schema: () => import('./change-listeners.schema.js'),
  core: async () => {
    const { ChangeListenersCoreModule } = await import('./change-listeners-core.module.js');
    const { HistoryClaims } = await import('../../zones/journal/history-claims.js');
    const { ClaimsOfListeners } = await import('./place.repository.js');
    return { modules: [ChangeListenersCoreModule], ports: [fill(HistoryClaims, ClaimsOfListeners)] };
  },
});
