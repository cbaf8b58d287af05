import { definePlugin } from '../../plugins/plugin.js';

/** PTR records of floating IPs. Those are Neutron's, which this service does not ask: there are none. */
export const FLOATING_IPS = definePlugin({
  name: 'floating-ips',
  zonewright: '*',
  api: async () => ({ v2: [(await import('./floating-ips.module.js')).FloatingIpsModule] }),
});
