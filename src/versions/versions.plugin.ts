import { definePlugin } from '../plugins/plugin.js';

/** Which versions of the interface there are. */
export const VERSIONS = definePlugin({
  name: 'versions',
  zonewright: '*',
  api: async () => ({ modules: [(await import('./versions.module.js')).VersionsModule] }),
});
