import { definePlugin } from '../../plugins/plugin.js';

/** Pools of name servers, as version 2 shows them. */
export const POOLS = definePlugin({
  name: 'pools',
  zonewright: '*',
  schema: () => import('./pools.schema.js'),
  api: async ({ config: { central } }) => ({
    v2: [(await import('./pools.module.js')).PoolsModule.register({ nameServers: central.nameServers })],
  }),
});
