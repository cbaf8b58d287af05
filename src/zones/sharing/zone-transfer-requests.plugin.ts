import { definePlugin } from '../../plugins/plugin.js';

/** Zones that one tenant hands to another (behaviour 13.9). */
export const ZONE_TRANSFER_REQUESTS = definePlugin({
  name: 'zone-transfer-requests',
  zonewright: '*',
  schema: () => import('./zone-transfer-requests.schema.js'),
  api: async () => ({ v2: [(await import('./zone-transfer-requests.module.js')).ZoneTransferRequestsModule] }),
});
