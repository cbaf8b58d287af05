import { definePlugin } from '../plugins/plugin.js';

/** Zone files: import, export, check. */
export const ZONE_FILES = definePlugin({
  name: 'zone-files',
  zonewright: '*',
  core: async ({ config: { central }, recordTypes }) => {
    const { ZoneFilesCoreModule } = await import('./zone-files-core.module.js');
    const { known: knownTypes } = await recordTypes();
    return { modules: [ZoneFilesCoreModule.register({ minTtl: central.minTtl, knownTypes })] };
  },
  api: async () => ({ modules: [(await import('./zone-files.module.js')).ZoneFilesModule] }),
});
