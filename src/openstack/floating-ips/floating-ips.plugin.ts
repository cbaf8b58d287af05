import { feature, moduleOf } from '../../plugins/feature.js';

/** PTR records of floating IPs: always empty, because Zonewright does not ask Neutron. */
export const FLOATING_IPS = feature({
  name: 'floating-ips',
  api: async () => ({
    v2: [
      moduleOf('FloatingIps', {
        controllers: [(await import('./v2/floating-ips.controller.js')).FloatingIpsController],
      }),
    ],
  }),
});
