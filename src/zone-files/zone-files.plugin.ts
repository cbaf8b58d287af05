import { locateDatabase } from '../database/database-url.js';
import { definePlugin } from '../plugins/plugin.js';

/** Zone files: import, export, check; imports and exports to be looked at later. */
export const ZONE_FILES = definePlugin({
  name: 'zone-files',
  zonewright: '*',
  schema: () => import('./zone-files.schema.js'),
  core: async ({ config: { central, api, database }, recordTypes }) => {
    const { ZoneFilesCoreModule } = await import('./zone-files-core.module.js');
    const { known: knownTypes } = await recordTypes();
    const { Limiter } = await import('../common/waiting/limiter.js');
    const options = {
      minTtl: central.minTtl,
      knownTypes,
      maxBodySize: api.maxBodySize,
      imports: Limiter.ofTenants('imports', api.maxImports),
      isAlone: locateDatabase(database.url).kind !== 'server',
    };
    return { modules: [ZoneFilesCoreModule.register(options)] };
  },
  api: async () => {
    const { ZoneFilesModule, ZoneFilesV2Module } = await import('./zone-files.module.js');
    return { modules: [ZoneFilesModule], v2: [ZoneFilesV2Module] };
  },
});
