import { type DynamicModule, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/zones.module.js';
import { NameServer } from './name-server/name-server.js';
import { NotifyHandler } from './name-server/query-handler.js';
import { CatalogRenderer } from './catalog/catalog-renderer.js';
import { CatalogZone, JoinedZones } from './catalog/catalog-zone.js';
import { AnswerCheck } from './pool/answer-check.js';
import { AnswerComparison } from './pool/answer-comparison.js';
import { AnswerSamples, SampledQuestions } from './pool/answer-samples.js';
import { PoolMembers } from './pool/pool-member.js';
import { PublicationRepository } from './pool/publication.repository.js';
import { PoolReconciler } from './pool/pool-reconciler.js';
import { PublicationWriter } from './pool/publication-writer.js';
import { NotifyScheduler } from './pool/notify-scheduler.js';
import { SerialRecovery } from './pool/serial-recovery.js';
import { ReplayedChangesRepository, StandbyPublisher } from './pool/standby-publisher.js';
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
import { ZoneCopies, ZoneDifferences } from './transfers/zone-copies.js';
import { ZoneFinder } from './transfers/zone-finder.js';
import { ZoneRecords } from './transfers/zone-records.js';
import { ZoneReader } from './transfers/zone-reader.js';
import { ZoneRenderer } from './transfers/zone-renderer.js';
import { ZoneSource } from './transfers/zone-source.js';

const TRANSFERS = [
  ...[ZoneFinder, ZoneReader, ZoneRenderer, ZoneCopies, CopySpool, ChangedSets, IxfrRenderer, ZoneDifferences],
  ...[ZoneRecords, StoredZones, CatalogRenderer, CatalogZone],
];
const SECONDARY = [PrimaryAddresses, TransferredZones, ZoneRefresh, InboundTransfers];
const POOL = [
  ...[
    AnswerCheck,
    AnswerComparison,
    AnswerSamples,
    SampledQuestions,
    NotifyScheduler,
    PoolReconciler,
    PublicationWriter,
  ],
  ...[SerialRecovery, StandbyPublisher, PoolMembers, ReplayedChangesRepository, PublicationRepository],
];

/** The service and `zonewright mdns` start its background tasks. */
@Module({})
export class PublishingModule {
  static register(options: PublishingOptions): DynamicModule {
    return {
      module: PublishingModule,
      imports: [ZoneChangesModule],
      providers: [
        { provide: PublishingOptions, useValue: options },
        ...[...TRANSFERS, ...SECONDARY, ...POOL, NameServer],
        {
          provide: ZoneSource,
          useFactory: (catalog: CatalogZone, stored: StoredZones) => new JoinedZones(catalog, stored),
          inject: [CatalogZone, StoredZones],
        },
        { provide: NotifyHandler, useClass: Notifications },
      ],
      exports: [PublishingOptions, ZoneSource, NameServer],
    };
  }
}
