import { migration } from '../../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../../plugins/feature.js';
import type { UpdateKeysOptions } from './update-keys.options.js';

/** Keys by which zones are updated over DNS (behaviour 20.8), for whoever manages them and whoever verifies with them. */
export const UPDATE_KEYS = feature({
  name: 'update-keys',
  schema: async () => ({
    entities: [(await import('./update-key.entity.js')).UpdateKeyEntity],
    migrations: [
      migration(
        'CreateUpdateKeys1763960000000',
        () => import('../../database/migrations/1763960000000-create-update-keys.js'),
      ),
    ],
  }),
  core: async ({ config: { mdns } }) => {
    const { UpdateKeysOptions } = await import('./update-keys.options.js');
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
