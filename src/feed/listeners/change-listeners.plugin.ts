import { migration } from '../../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../../plugins/feature.js';
import { fill } from '../../plugins/plugin.js';

/** Code of plugins that learns of every change (behaviour 19). */
export const CHANGE_LISTENERS = feature({
  name: 'change-listeners',
  schema: async () => ({
    entities: [
      (await import('./listener.entity.js')).ListenerEntity,
      (await import('./listener-position.entity.js')).ListenerPositionEntity,
      (await import('./listener-process.entity.js')).ListenerProcessEntity,
      (await import('./shard.entity.js')).ShardEntity,
    ],
    migrations: [
      migration(
        'CreateListeners1763885000000',
        () => import('../../database/migrations/1763885000000-create-listeners.js'),
      ),
    ],
  }),
  core: async () => {
    const { HistoryHolds } = await import('../../zones/journal/history-holds.js');
    const { HoldsOfListeners, ListenerPositionRepository } = await import('./listener-position.repository.js');
    // The journal as listeners get it, and how far they have come, for every program.
    const shared = [(await import('./change-entries.repository.js')).ChangeEntries, ListenerPositionRepository];
    const module = moduleOf('ListenerPositions', { global: true, providers: shared, exports: shared });
    return { modules: [module], ports: [fill(HistoryHolds, HoldsOfListeners)] };
  },
});
