import { definePlugin, fill } from '../../plugins/plugin.js';

/** Which names zones may have: TLDs under which they must be, and blacklists of what they must not be. */
export const ZONE_NAMES = definePlugin({
  name: 'zone-names',
  zonewright: '*',
  schema: () => import('./zone-names.schema.js'),
  core: async () => {
    const { ZoneNamesCoreModule } = await import('./zone-names-core.module.js');
    const { ZoneNameRules } = await import('./zone-name-rules.js');
    const { StoredNameRules } = await import('./stored-name-rules.js');
    return { modules: [ZoneNamesCoreModule], ports: [fill(ZoneNameRules, StoredNameRules)] };
  },
  api: async () => ({ v2: [(await import('./zone-names.module.js')).ZoneNamesModule] }),
});
