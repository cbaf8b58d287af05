import { feature, moduleOf } from '../../plugins/feature.js';

/** PTR records of floating IPs. Those are Neutron's, which this service does not ask: there are none. */
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
