import { HOUR } from '../../background/background-task.js';
import { feature, moduleOf } from '../../plugins/feature.js';
import { fill } from '../../plugins/plugin.js';

/** Plugin code that receives every change (behaviour 19). */
export const CHANGE_LISTENERS = feature({
  name: 'change-listeners',
  entities: async () => Object.values(await import('./listener.entity.js')),
  core: async () => {
    const { HistoryHolds } = await import('../../zones/journal/history-retention.repository.js');
    const { HoldsOfListeners, ListenerPositionRepository } = await import('./listener-position.repository.js');
    // Journal reader and positions, for every program.
    const shared = [(await import('./change-entries.repository.js')).ChangeEntries, ListenerPositionRepository];
    const module = moduleOf('ListenerPositions', { global: true, providers: shared, exports: shared });
    return { modules: [module], ports: [fill(HistoryHolds, HoldsOfListeners)] };
  },
  // `ChangeListenersModule` has these services: it needs the listeners of all plugins.
  api: async () => {
    const { PositionsCleanup } = await import('./positions-cleanup.js');
    return {
      background: [{ service: (await import('./change-dispatcher.js')).ChangeDispatcher, after: 'api' }],
      retention: [
        {
          name: 'listeners.gone',
          subject: 'positions of removed change listeners',
          every: HOUR,
          remove: (services, tx) => services.get(PositionsCleanup).removeSome(tx),
        },
      ],
    };
  },
});
