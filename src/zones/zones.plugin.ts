import { migration } from '../database/schema/lazy-migration.js';
import { feature, moduleOf } from '../plugins/feature.js';

/** Zones, their serials and their journal. */
export const ZONES = feature({
  name: 'zones',
  schema: async () => ({
    entities: [
      (await import('./zone.entity.js')).ZoneEntity,
      (await import('./staged-imports/staged-import.entity.js')).StagedImportEntity,
      (await import('./tenant.entity.js')).TenantEntity,
      (await import('./journal/journal.entity.js')).JournalEntity,
      (await import('./serials/last-serial.entity.js')).LastSerialEntity,
      (await import('./primaries/inbound-transfer.entity.js')).InboundTransferEntity,
      (await import('./sharing/zone-share.entity.js')).ZoneShareEntity,
    ],
    // The first of them makes the tables of records and tokens too, that of shares what records have to do with them.
    migrations: [
      migration('CreateTables1763600000000', () => import('../database/migrations/1763600000000-create-tables.js')),
      migration('NameZones1763700000000', () => import('../database/migrations/1763700000000-name-zones.js')),
      migration(
        'IndexDeletedRecords1763810000000',
        () => import('../database/migrations/1763810000000-index-deleted-records.js'),
      ),
      migration(
        'FindFormerZones1763820000000',
        () => import('../database/migrations/1763820000000-find-former-zones.js'),
      ),
      migration(
        'CreateLastSerials1763830000000',
        () => import('../database/migrations/1763830000000-create-last-serials.js'),
      ),
      migration(
        'ShowZonesToVersionTwo1763860000000',
        () => import('../database/migrations/1763860000000-show-zones-to-version-2.js'),
      ),
      migration(
        'CreateZoneShares1763863100000',
        () => import('../database/migrations/1763863100000-create-zone-shares.js'),
      ),
      migration('NoteMessages1763970100000', () => import('../database/migrations/1763970100000-note-messages.js')),
      migration('KeepApexNs1763970000000', () => import('../database/migrations/1763970000000-keep-apex-ns.js')),
      migration(
        'FindDeletedZones1763970200000',
        () => import('../database/migrations/1763970200000-find-deleted-zones.js'),
      ),
      migration(
        'CreateIncomingZones1764000100000',
        () => import('../database/migrations/1764000100000-create-incoming-zones.js'),
      ),
      migration(
        'ExpandZonesByNames1764020000000',
        () => import('../database/migrations/1764020000000-expand-zones-by-names.js'),
        { transaction: false },
      ),
      migration(
        'ExpandZonesByGeneration1764040000000',
        () => import('../database/migrations/1764040000000-expand-zones-by-generation.js'),
        { transaction: false },
      ),
      migration(
        'ExpandZonesByPrefix1764041000000',
        () => import('../database/migrations/1764041000000-expand-zones-by-prefix.js'),
        { transaction: false },
      ),
      migration('ExpandSoaTtl1764120000000', () => import('../database/migrations/1764120000000-expand-soa-ttl.js')),
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
    return { modules: [ZonesModule.register(options)] };
  },
  api: async () => ({
    modules: [
      moduleOf('ZonesV1', {
        imports: [(await import('./changes/zone-changes.module.js')).ZoneChangesModule],
        controllers: [(await import('./v1/domains.controller.js')).DomainsController],
        providers: [
          (await import('./lists/zone-views.js')).ZoneViews,
          (await import('./lists/zone-lists.js')).ZoneLists,
        ],
      }),
    ],
    v2: [
      moduleOf('ZonesV2', {
        imports: [(await import('./changes/zone-changes.module.js')).ZoneChangesModule],
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
