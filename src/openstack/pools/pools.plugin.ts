import { feature, moduleOf } from '../../plugins/feature.js';

export const POOLS = feature({
  name: 'pools',
  entities: async () => [(await import('./pool.repository.js')).PoolEntity],
  api: async ({ config: { central } }) => {
    const { PoolsOptions, PoolsService } = await import('./pools.service.js');
    const module = moduleOf('Pools', {
      controllers: [(await import('./v2/pools.controller.js')).PoolsController],
      providers: [
        (await import('./pool.repository.js')).PoolRepository,
        PoolsService,
        { provide: PoolsOptions, useValue: { nameServers: central.nameServers } },
      ],
    });
    return { v2: [module] };
  },
});
