import { feature, moduleOf } from '../../plugins/feature.js';

/** Secrets of transfers, as admins note them through version 2. */
export const TSIG_KEYS = feature({
  name: 'tsig-keys',
  schema: async () => ({
    // The migration of zone names makes the table.
    entities: [(await import('./tsig-key.entity.js')).TsigKeyEntity],
    migrations: [],
  }),
  api: async () => ({
    v2: [
      moduleOf('TsigKeys', {
        controllers: [(await import('./v2/tsig-keys.controller.js')).TsigKeysController],
        providers: [
          (await import('./tsig-key.repository.js')).TsigKeyRepository,
          (await import('./tsig-keys.service.js')).TsigKeysService,
        ],
      }),
    ],
  }),
});
