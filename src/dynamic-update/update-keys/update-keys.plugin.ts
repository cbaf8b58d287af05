import { feature, moduleOf } from '../../plugins/feature.js';
import type { UpdateKeysOptions } from './update-keys.service.js';

export const UPDATE_KEYS = feature({
  name: 'update-keys',
  entities: async () => [(await import('./update-key.entity.js')).UpdateKeyEntity],
  core: async ({ config: { mdns } }) => {
    const { UpdateKeysOptions } = await import('./update-keys.service.js');
    const services = [
      (await import('./update-key.repository.js')).UpdateKeyRepository,
      (await import('./known-update-keys.js')).KnownUpdateKeys,
      (await import('./update-keys.service.js')).UpdateKeysService,
    ];
    const options: UpdateKeysOptions = { takenNames: mdns.tsigKeys.map(({ name }) => name) };
    const providers = [{ provide: UpdateKeysOptions, useValue: options }, ...services];
    return { modules: [moduleOf('UpdateKeys', { global: true, providers, exports: services })] };
  },
  api: async () => ({
    modules: [
      moduleOf('UpdateKeysV1', {
        controllers: [(await import('./v1/update-keys.controller.js')).UpdateKeysController],
      }),
    ],
  }),
});
