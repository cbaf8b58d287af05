import { feature } from './feature.js';

export const PLUGINS = feature({
  name: 'plugins',
  schema: async () => ({ entities: [(await import('./plugin.repository.js')).PluginEntity], migrations: [] }),
});
