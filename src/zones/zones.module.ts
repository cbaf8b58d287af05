import { type DynamicModule, Module } from '@nestjs/common';
import { HistoryRetentionRepository } from './journal/history-retention.repository.js';
import { HistoryRetentionService } from './journal/history-retention.service.js';
import { LeftContents } from './left-contents.js';
import { LeftContentsRepository } from './left-contents.repository.js';
import { StagedImportRepository } from './staged-imports/staged-import.repository.js';
import { StagedImports, StagedImportsCleanup } from './staged-imports/staged-imports.js';
import { ZoneCreationBatch } from './zone-creation-batch.js';
import { ZoneAdmission } from './zone-admission.js';
import { ZoneCreator } from './zone-creator.js';
import { ZoneDeleter } from './zone-deleter.js';
import { ZoneDrafter } from './zone-draft.js';
import { ZoneUpdater } from './zone-updater.js';
import { ZoneOwnershipService } from './sharing/zone-ownership.service.js';
import { ZonePlacement } from './names/zone-placement.js';
import { ZoneGenerationRepository } from './zone-generation.repository.js';
import { ZoneRegenerationService } from './zone-regeneration.service.js';
import { ZoneSharesService } from './sharing/zone-shares.service.js';
import { ZoneUse } from './zone-limits.js';
import { StoredZoneUse, ZoneCountRepository } from './zone-count.repository.js';
import { ZonesOptions } from './zones.options.js';
import { ZonesService } from './zones.service.js';
import { ZoneChanges } from './changes/zone-changes.js';
import { CommitHooks, ZoneChangeNotifier } from './changes/zone-change-notifier.js';
import { ZoneRepository } from './zone.repository.js';
import { JournalRepository } from './journal/journal.repository.js';
import { LastSerialRepository } from './serials/last-serial.repository.js';
import { InboundTransferRepository } from './primaries/inbound-transfer.repository.js';
import { ZoneShareRepository } from './sharing/zone-share.repository.js';
import { ContentsReplacer } from './staged-imports/contents-replacer.js';
import { StagedChangeRepository } from './staged-imports/staged-change.repository.js';
import { MovedContentsRepository } from './moved-contents.repository.js';
import { ZoneOrders } from './lists/zone-orders.repository.js';
import { ZoneSearchBlocks } from './lists/zone-search-blocks.repository.js';
import { ZoneSearchIndex } from './lists/zone-search-index.js';
import { ZoneWalks } from './lists/zone-walks.js';
import { SerialRaisingService } from './serials/serial-raising.service.js';

/** Global, because adapters, other features and plugins use it. */
@Module({})
export class ZonesModule {
  static register(options: ZonesOptions): DynamicModule {
    return {
      module: ZonesModule,
      global: true,
      imports: [ZoneChangesModule],
      providers: [
        ZonesService,
        ZoneCreationBatch,
        ZoneCreator,
        ZoneAdmission,
        ZoneDrafter,
        ZoneUpdater,
        ZoneDeleter,
        ZoneOwnershipService,
        ZoneSharesService,
        ZonePlacement,
        ZoneGenerationRepository,
        ZoneRegenerationService,
        HistoryRetentionService,
        HistoryRetentionRepository,
        LeftContents,
        LeftContentsRepository,
        StagedImports,
        StagedImportRepository,
        StagedChangeRepository,
        StagedImportsCleanup,
        MovedContentsRepository,
        ContentsReplacer,
        { provide: ZoneUse, useClass: StoredZoneUse },
        { provide: ZonesOptions, useValue: options },
      ],
      exports: [
        ZonesService,
        ZoneCreator,
        ZoneAdmission,
        ZoneDrafter,
        ZoneUpdater,
        ZoneDeleter,
        ZoneOwnershipService,
        ZoneSharesService,
        ZoneRegenerationService,
        HistoryRetentionService,
        ContentsReplacer,
        ZoneUse,
      ],
    };
  }
}

const SHARED_SERVICES = [
  ZoneRepository,
  ZoneCountRepository,
  JournalRepository,
  LastSerialRepository,
  InboundTransferRepository,
  ZoneShareRepository,
  ZoneOrders,
  ZoneSearchBlocks,
  ZoneSearchIndex,
  ZoneWalks,
  ZoneChanges,
  CommitHooks,
  ZoneChangeNotifier,
  SerialRaisingService,
];

@Module({ providers: SHARED_SERVICES, exports: SHARED_SERVICES })
export class ZoneChangesModule {}
