import { feature, moduleOf } from '../plugins/feature.js';
import { ExternalDnsOptions } from './external-dns.options.js';

export const EXTERNAL_DNS = feature({
  name: 'external-dns',
  api: async ({ config: { externalDns } }) => ({
    modules: externalDns.enabled
      ? [
          moduleOf('ExternalDns', {
            imports: [(await import('../zones/zones.module.js')).ZoneChangesModule],
            controllers: [(await import('./endpoints/external-dns.controller.js')).ExternalDnsController],
            providers: [
              { provide: ExternalDnsOptions, useValue: externalDns },
              (await import('./endpoints/endpoint-form.js')).EndpointForm,
              (await import('./endpoints/endpoint-lists.js')).EndpointLists,
              (await import('./endpoints/endpoint-writer.js')).EndpointWriter,
            ],
          }),
        ]
      : [],
  }),
});
