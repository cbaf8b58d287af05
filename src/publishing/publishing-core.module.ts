import { type DynamicModule, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/zone-changes.module.js';
import { NameServer } from './name-server/name-server.js';
import { NotifyTaker } from './name-server/notify-taker.js';
import { CatalogRepository } from './catalog/catalog.repository.js';
import { CatalogService } from './catalog/catalog.service.js';
import { CatalogZone } from './catalog/catalog-zone.js';
import { JoinedZones } from './catalog/joined-zones.js';
import { LeaseRepository } from './pool/lease.repository.js';
import { PublicationRepository } from './pool/publication.repository.js';
import { Publisher } from './pool/publisher.js';
import { PublishingOptions } from './publishing.options.js';
import { MasterAddresses } from './transfers-in/master-addresses.js';
import { Notifications } from './transfers-in/notifications.js';
import { TransferredZones } from './transfers-in/transferred-zones.js';
import { TransfersIn } from './transfers-in/transfers-in.js';
import { ZoneRefresh } from './transfers-in/zone-refresh.js';
import { ChangedSets } from './zone-copies/changed-sets.js';
import { CopySpool } from './zone-copies/copy-spool.js';
import { DifferenceRendering } from './zone-copies/difference-rendering.js';
import { StoredZones } from './zone-copies/stored-zones.js';
import { ZoneCopies } from './zone-copies/zone-copies.js';
import { ZoneDifferences } from './zone-copies/zone-differences.js';
import { ZoneFinder } from './zone-copies/zone-finder.js';
import { ZoneReading } from './zone-copies/zone-reading.js';
import { ZoneRendering } from './zone-copies/zone-rendering.js';
import { ZoneSource } from './zone-copies/zone-source.js';

/** What publishes zones; its workers run where the service or `zonewright mdns` starts them. */
@Module({})
export class PublishingCoreModule {
  static register(options: PublishingOptions): DynamicModule {
    return {
      module: PublishingCoreModule,
      imports: [ZoneChangesModule],
      providers: [
        { provide: PublishingOptions, useValue: options },
        ZoneFinder,
        ZoneReading,
        ZoneRendering,
        ZoneCopies,
        CopySpool,
        ChangedSets,
        DifferenceRendering,
        ZoneDifferences,
        StoredZones,
        {
          provide: ZoneSource,
          useFactory: (catalog: CatalogZone, stored: StoredZones) => new JoinedZones(catalog, stored),
          inject: [CatalogZone, StoredZones],
        },
        { provide: NotifyTaker, useClass: Notifications },
        MasterAddresses,
        TransferredZones,
        ZoneRefresh,
        TransfersIn,
        NameServer,
        Publisher,
        CatalogService,
        CatalogRepository,
        CatalogZone,
        PublicationRepository,
        LeaseRepository,
      ],
      exports: [PublishingOptions, ZoneSource, NameServer],
    };
  }
}
