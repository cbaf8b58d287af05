import { migration } from '../../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../../plugins/feature.js';
import { fill } from '../../plugins/plugin.js';

/** Which names zones may have: TLDs under which they must be, and blacklists of what they must not be. */
export const ZONE_NAMES = feature({
  name: 'zone-names',
  schema: async () => ({
    entities: [
      (await import('./tld.entity.js')).TldEntity,
      (await import('./blacklist.entity.js')).BlacklistEntity,
      (await import('./zone-name-rules.entity.js')).ZoneNameRulesEntity,
    ],
    // It makes the tables of TSIG keys, pools and service statuses too.
    migrations: [
      migration(
        'CreateAdministration1763864000000',
        () => import('../../database/migrations/1763864000000-create-administration.js'),
      ),
    ],
  }),
  core: async () => {
    const { ZoneNameRules } = await import('./zone-name-rules.js');
    const { StoredNameRules } = await import('./stored-name-rules.js');
    const { ZoneNameRulesRepository } = await import('./zone-name-rules.repository.js');
    const { TldsService } = await import('./tlds.service.js');
    const { BlacklistsService } = await import('./blacklists.service.js');
    const module = moduleOf('ZoneNames', {
      global: true,
      providers: [
        ZoneNameRulesRepository,
        (await import('./tld.repository.js')).TldRepository,
        TldsService,
        (await import('./blacklist.repository.js')).BlacklistRepository,
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
