import { type DynamicModule, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/changes/zone-changes.module.js';
import { NameServer } from './name-server/name-server.js';
import { NotifyHandler } from './name-server/notify-handler.js';
import { CatalogRendering } from './catalog/catalog-rendering.js';
import { CatalogZone } from './catalog/catalog-zone.js';
import { JoinedZones } from './catalog/joined-zones.js';
import { AnswerCheck } from './pool/answer-check.js';
import { AnswerComparison } from './pool/answer-comparison.js';
import { AnswerSamples } from './pool/answer-samples.js';
import { SampledQuestions } from './pool/sampled-questions.js';
import { PoolMembers } from './pool/pool-members.js';
import { PublicationRepository } from './pool/publication.repository.js';
import { Publisher } from './pool/publisher.js';
import { ReplayedChangesRepository } from './pool/replayed-changes.repository.js';
import { StandbyPublisher } from './pool/standby-publisher.js';
import { PublishingOptions } from './publishing.options.js';
import { PrimaryAddresses } from './secondary/primary-addresses.js';
import { Notifications } from './secondary/notifications.js';
import { TransferredZones } from './secondary/transferred-zones.js';
import { InboundTransfers } from './secondary/inbound-transfers.js';
import { ZoneRefresh } from './secondary/zone-refresh.js';
import { ChangedSets } from './transfers/changed-sets.js';
import { CopySpool } from './transfers/copy-spool.js';
import { IxfrRenderer } from './transfers/ixfr-renderer.js';
import { StoredZones } from './transfers/stored-zones.js';
import { ZoneCopies } from './transfers/zone-copies.js';
import { ZoneDifferences } from './transfers/zone-differences.js';
import { ZoneFinder } from './transfers/zone-finder.js';
import { ZoneRecords } from './transfers/zone-records.js';
import { ZoneReader } from './transfers/zone-reader.js';
import { ZoneRenderer } from './transfers/zone-renderer.js';
import { ZoneSource } from './transfers/zone-source.js';

/** What publishes zones; its workers run where the service or `zonewright mdns` starts them. */
@Module({})
export class PublishingModule {
  static register(options: PublishingOptions): DynamicModule {
    return {
      module: PublishingModule,
      imports: [ZoneChangesModule],
      providers: [
        { provide: PublishingOptions, useValue: options },
        ZoneFinder,
        ZoneReader,
        ZoneRenderer,
        ZoneCopies,
        CopySpool,
        ChangedSets,
        IxfrRenderer,
        ZoneDifferences,
        ZoneRecords,
        StoredZones,
        {
          provide: ZoneSource,
          useFactory: (catalog: CatalogZone, stored: StoredZones) => new JoinedZones(catalog, stored),
          inject: [CatalogZone, StoredZones],
        },
        { provide: NotifyHandler, useClass: Notifications },
        PrimaryAddresses,
        TransferredZones,
        ZoneRefresh,
        InboundTransfers,
        NameServer,
        AnswerCheck,
        AnswerComparison,
        AnswerSamples,
        SampledQuestions,
        Publisher,
        StandbyPublisher,
        PoolMembers,
        ReplayedChangesRepository,
        CatalogRendering,
        CatalogZone,
        PublicationRepository,
      ],
      exports: [PublishingOptions, ZoneSource, NameServer],
    };
  }
}
