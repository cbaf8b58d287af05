import { feature, moduleOf } from '../../plugins/feature.js';
import { fill } from '../../plugins/plugin.js';

export const ZONE_NAMES = feature({
  name: 'zone-names',
  entities: async () => Object.values(await import('./zone-name-rules.entity.js')),
  core: async () => {
    const { ZoneNameRules, StoredNameRules } = await import('./zone-name-rules.js');
    const { ZoneNameRulesRepository } = await import('./zone-name-rules.repository.js');
    const { TldsService } = await import('./tlds.service.js');
    const { BlacklistsService } = await import('./blacklists.service.js');
    const module = moduleOf('ZoneNames', {
      global: true,
      providers: [
        ZoneNameRulesRepository,
        (await import('./zone-name-rules.repository.js')).TldRepository,
        TldsService,
        (await import('./zone-name-rules.repository.js')).BlacklistRepository,
        BlacklistsService,
      ],
      exports: [ZoneNameRulesRepository, TldsService, BlacklistsService],
    });
    return { modules: [module], ports: [fill(ZoneNameRules, StoredNameRules)] };
  },
  api: async () => ({
    v2: [
      moduleOf('ZoneNamesV2', {
        controllers: [
          (await import('./v2/tlds.controller.js')).TldsController,
          (await import('./v2/blacklists.controller.js')).BlacklistsController,
        ],
      }),
    ],
  }),
});
