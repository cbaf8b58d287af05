import { definePlugin } from '../plugins/plugin.js';

/** Zone files: import, export, check. */
export const ZONE_FILES = definePlugin({
  name: 'zone-files',
  zonewright: '*',
  core: async ({ config: { central, api }, recordTypes }) => {
    const { ZoneFilesCoreModule } = await import('./zone-files-core.module.js');
    const { known: knownTypes } = await recordTypes();
    const { ConcurrencyLimit } = await import('../common/concurrency-limit.js');
    const options = {
      minTtl: central.minTtl,
      knownTypes,
      maxBodySize: api.maxBodySize,
      imports: new ConcurrencyLimit('imports', api.maxImports),
    };
    return { modules: [ZoneFilesCoreModule.register(options)] };
  },
  api: async () => ({ modules: [(await import('./zone-files.module.js')).ZoneFilesModule] }),
});
