import { feature, moduleOf } from '../../plugins/feature.js';

export const TSIG_KEYS = feature({
  name: 'tsig-keys',
  entities: async () => [(await import('./tsig-key.repository.js')).TsigKeyEntity],
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
