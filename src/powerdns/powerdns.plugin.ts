import { feature, moduleOf } from '../plugins/feature.js';
import { PowerDnsOptions } from './powerdns.options.js';

export const POWERDNS = feature({
  name: 'powerdns',
  api: async ({ config: { powerdns } }) => ({
    modules: powerdns.enabled
      ? [
          moduleOf('PowerDns', {
            imports: [(await import('../zones/zones.module.js')).ZoneChangesModule],
            controllers: [
              (await import('./servers.controller.js')).ServersController,
              (await import('./search/search.controller.js')).SearchController,
              (await import('./zones/zones.controller.js')).ZonesController,
              (await import('./zones/zone-extras.controller.js')).ZoneExtrasController,
              (await import('./zones/crypto-keys.controller.js')).CryptoKeysController,
            ],
            providers: [
              { provide: PowerDnsOptions, useValue: powerdns },
              (await import('./zones/zone-lookup.js')).ZoneLookup,
              (await import('./zones/zone-json-cache.js')).ZoneJsonCache,
              (await import('./zones/zone-answers.js')).ZoneAnswers,
              (await import('./zones/zone-creator.js')).PowerDnsZoneCreator,
              (await import('./zones/zone-updates.js')).ZoneUpdates,
              (await import('./zones/crypto-keys.js')).CryptoKeys,
              (await import('./rrsets/rrset-writer.js')).RrsetWriter,
              (await import('./rrsets/rrset-views.js')).RrsetViews,
              (await import('./search/search.service.js')).SearchService,
            ],
          }),
        ]
      : [],
  }),
});
