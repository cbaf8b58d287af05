import { migration } from '../database/schema/lazy-migration.js';
import { feature } from './feature.js';

/** What is remembered of plugins of other teams. */
export const PLUGINS = feature({
  name: 'plugins',
  schema: async () => ({
    entities: [(await import('./plugin.entity.js')).PluginEntity],
    migrations: [
      migration('NotePlugins1763884000000', () => import('../database/migrations/1763884000000-note-plugins.js')),
    ],
  }),
});
