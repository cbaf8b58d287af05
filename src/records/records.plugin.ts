import { definePlugin } from '../plugins/plugin.js';

/** Records and the sets that they are served in. */
export const RECORDS = definePlugin({
  name: 'records',
  zonewright: '*',
  recordTypes: async () => (await import('../dns/rdata/index.js')).STANDARD_TYPES,
  schema: () => import('./records.schema.js'),
  core: async ({ config: { central, api }, recordTypes }) => {
    const { RecordsCoreModule } = await import('./records-core.module.js');
    const { generationOf } = await import('../zones/generation.js');
    const { supported: types, known: knownTypes } = await recordTypes();
    const { strictClients, maxChanges, expiringRecords } = api;
    const options = { types, knownTypes, generation: generationOf(central), minTtl: central.minTtl };
    return { modules: [RecordsCoreModule.register({ ...options, strictClients, maxChanges, expiringRecords })] };
  },
  api: async () => {
    const { RecordsModule, RecordsV2Module } = await import('./records.module.js');
    return { modules: [RecordsModule], v2: [RecordsV2Module] };
  },
});
