import { definePlugin } from '../plugins/plugin.js';

/** Zones, their serials and their journal. */
export const ZONES = definePlugin({
  name: 'zones',
  zonewright: '*',
  schema: () => import('./zones.schema.js'),
  core: async ({ config: { central, defaults, mdns } }) => {
    const { ZonesCoreModule } = await import('./zones-core.module.js');
    const { generationOf } = await import('./generation.js');
    const { minTtl, publicSuffixes, retention } = central;
    const generation = generationOf(central);
    const takesSecondaryZones = mdns.enabled || mdns.secondaries.length > 0 || mdns.allowTransfer.length > 0;
    const ofNameServers = { takesSecondaryZones, masters: mdns.allowMasters, catalogName: mdns.catalogZone };
    const options = { defaultTtl: defaults.ttl, generation, minTtl, publicSuffixes, retention, ...ofNameServers };
    return { modules: [ZonesCoreModule.register(options)] };
  },
  api: async () => {
    const { ZonesModule, ZonesV2Module } = await import('./zones.module.js');
    return { modules: [ZonesModule], v2: [ZonesV2Module] };
  },
});
