import { definePlugin } from '../../plugins/plugin.js';

/** Secrets of transfers, as admins note them through version 2. */
export const TSIG_KEYS = definePlugin({
  name: 'tsig-keys',
  zonewright: '*',
  schema: () => import('./tsig-keys.schema.js'),
  api: async () => ({ v2: [(await import('./tsig-keys.module.js')).TsigKeysModule] }),
});
