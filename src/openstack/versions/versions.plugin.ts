import { definePlugin } from '../../plugins/plugin.js';

/** Which versions of the interface there are. */
export const VERSIONS = definePlugin({
  name: 'versions',
  zonewright: '*',
  api: async ({ config: { api } }) => {
    const { VersionsModule } = await import('./versions.module.js');
    return { modules: [VersionsModule.register({ hasVersion2: api.enableV2 })] };
  },
});
