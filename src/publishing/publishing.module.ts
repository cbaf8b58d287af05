import { type DynamicModule, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/changes/zone-changes.module.js';
import { NameServer } from './name-server/name-server.js';
import { NotifyTaker } from './name-server/notify-taker.js';
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
import { MasterAddresses } from './secondary/master-addresses.js';
import { Notifications } from './secondary/notifications.js';
import { TransferredZones } from './secondary/transferred-zones.js';
import { TransfersIn } from './secondary/transfers-in.js';
import { ZoneRefresh } from './secondary/zone-refresh.js';
import { ChangedSets } from './copies/changed-sets.js';
import { CopySpool } from './copies/copy-spool.js';
import { DifferenceRendering } from './copies/difference-rendering.js';
import { StoredZones } from './copies/stored-zones.js';
import { ZoneCopies } from './copies/zone-copies.js';
import { ZoneDifferences } from './copies/zone-differences.js';
import { ZoneFinder } from './copies/zone-finder.js';
import { ZoneRecords } from './copies/zone-records.js';
import { ZoneReading } from './copies/zone-reading.js';
import { ZoneRendering } from './copies/zone-rendering.js';
import { ZoneSource } from './copies/zone-source.js';

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
        ZoneReading,
        ZoneRendering,
        ZoneCopies,
        CopySpool,
        ChangedSets,
        DifferenceRendering,
        ZoneDifferences,
        ZoneRecords,
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
