import { migration } from '../database/schema/schema.js';
import { feature, moduleOf } from '../plugins/feature.js';

export const ZONES = feature({
  name: 'zones',
  schema: async () => ({
    entities: [
      (await import('./zone.entity.js')).ZoneEntity,
      (await import('./staged-imports/staged-import.repository.js')).StagedImportEntity,
      (await import('./left-contents.repository.js')).LeftContentsEntity,
      (await import('./moved-contents.repository.js')).MovedContentsEntity,
      (await import('./staged-imports/staged-change.repository.js')).StagedChangeEntity,
      (await import('./zone-count.repository.js')).TenantEntity,
      (await import('./journal/journal.entity.js')).JournalEntity,
      (await import('./serials/last-serial.repository.js')).LastSerialEntity,
      (await import('./primaries/inbound-transfer.repository.js')).InboundTransferEntity,
      (await import('./sharing/zone-share.repository.js')).ZoneShareEntity,
    ],
    // The baseline creates the tables of all features.
    migrations: [
      migration('Baseline1764200000000', () => import('../database/migrations/1764200000000-baseline.js')),
      migration(
        'ExpandZonesByLeftContents1764400000000',
        () => import('../database/migrations/1764400000000-expand-zones-by-left-contents.js'),
      ),
      migration(
        'ExpandZoneLists1764400200000',
        () => import('../database/migrations/1764400200000-expand-zone-lists.js'),
        { transaction: false },
      ),
      migration(
        'ExpandZoneSearch1764460000000',
        () => import('../database/migrations/1764460000000-expand-zone-search.js'),
      ),
      migration(
        'ExpandMovedContents1764470000000',
        () => import('../database/migrations/1764470000000-expand-moved-contents.js'),
      ),
      migration('ExpandLabels1764500000000', () => import('../database/migrations/1764500000000-expand-labels.js')),
      migration(
        'ExpandZoneFilters1764510000000',
        () => import('../database/migrations/1764510000000-expand-zone-filters.js'),
        { transaction: false },
      ),
      migration(
        'ExpandZoneOrders1764520000000',
        () => import('../database/migrations/1764520000000-expand-zone-orders.js'),
      ),
      migration(
        'ExpandLabelsByName1764560000000',
        () => import('../database/migrations/1764560000000-expand-labels-by-name.js'),
      ),
      migration(
        'ExpandZoneSearchTexts1764590000000',
        () => import('../database/migrations/1764590000000-expand-zone-search-texts.js'),
      ),
    ],
    contractions: [
      migration(
        'ContractOwnContents1764480000000',
        () => import('../database/migrations/1764480000000-contract-own-contents.js'),
      ),
    ],
  }),
  core: async ({ config: { central, defaults, mdns } }) => {
    const { ZonesModule } = await import('./zones.module.js');
    const { generationOf } = await import('./generation.js');
    const { minTtl, publicSuffixes, retention } = central;
    const generation = generationOf(central);
    const takesSecondaryZones = mdns.enabled || mdns.secondaries.length > 0 || mdns.allowTransfer.length > 0;
    const ofNameServers = { takesSecondaryZones, masters: mdns.allowMasters, catalogName: mdns.catalogZone };
    const options = { defaultTtl: defaults.ttl, generation, minTtl, publicSuffixes, retention, ...ofNameServers };
    const { StagedImportsCleanup } = await import('./staged-imports/staged-imports.js');
    const { LeftContents } = await import('./left-contents.js');
    const background = [{ service: StagedImportsCleanup }, { service: LeftContents }];
    return { modules: [ZonesModule.register(options)], background };
  },
  api: async () => ({
    background: [
      { service: (await import('./lists/zone-search-filler.js')).ZoneSearchFiller },
      { service: (await import('./journal/history-retention.service.js')).HistoryRetentionService, after: 'api' },
    ],
    modules: [
      moduleOf('ZonesV1', {
        imports: [(await import('./zones.module.js')).ZoneChangesModule],
        controllers: [(await import('./v1/domains.controller.js')).DomainsController],
        providers: [
          (await import('./lists/zone-views.js')).ZoneViews,
          (await import('./lists/zone-lists.js')).ZoneLists,
          (await import('./lists/zone-search-filler.js')).ZoneSearchFiller,
        ],
      }),
    ],
    v2: [
      moduleOf('ZonesV2', {
        imports: [(await import('./zones.module.js')).ZoneChangesModule],
        controllers: [
          (await import('./v2/zones.controller.js')).ZonesController,
          (await import('./v2/zone-tasks.controller.js')).ZoneTasksController,
          (await import('./v2/zone-shares.controller.js')).ZoneSharesController,
        ],
        providers: [(await import('./lists/zone-views.js')).ZoneViews],
      }),
    ],
  }),
});
