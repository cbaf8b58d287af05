import { definePlugin } from '../plugins/plugin.js';

/** Zones, their serials and their journal. */
export const ZONES = definePlugin({
  name: 'zones',
  zonewright: '*',
  schema: () => import('./zones.schema.js'),
  core: async ({ config: { central, defaults } }) => {
    const { ZonesCoreModule } = await import('./zones-core.module.js');
    const { generationOf } = await import('./generation.js');
    const { minTtl, publicSuffixes, retention } = central;
    const generation = generationOf(central);
    const options = { defaultTtl: defaults.ttl, generation, minTtl, publicSuffixes, retention };
    return { modules: [ZonesCoreModule.register(options)] };
  },
  api: async () => ({ modules: [(await import('./zones.module.js')).ZonesModule] }),
});
