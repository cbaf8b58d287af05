import { type DynamicModule, Module } from '@nestjs/common';
import { HistoryRetentionRepository } from './journal/history-retention.repository.js';
import { HistoryRetentionService } from './journal/history-retention.service.js';
import { ZoneChangesModule } from './changes/zone-changes.module.js';
import { StagedImportRepository } from './staged-imports/staged-import.repository.js';
import { StagedImports } from './staged-imports/staged-imports.js';
import { StagedImportsCleanup } from './staged-imports/staged-imports-cleanup.js';
import { ZoneCreationBatch } from './zone-creation-batch.js';
import { ZoneCreator } from './zone-creator.js';
import { ZoneOwnershipService } from './sharing/zone-ownership.service.js';
import { ZonePlacement } from './names/zone-placement.js';
import { ZoneGenerationRepository } from './zone-generation.repository.js';
import { ZoneRegenerationService } from './zone-regeneration.service.js';
import { ZoneSharesService } from './sharing/zone-shares.service.js';
import { ZoneUse } from './zone-limits.js';
import { StoredZoneUse } from './zone-use.repository.js';
import { ZonesOptions } from './zones.options.js';
import { ZonesService } from './zones.service.js';

/** Zones, for whoever reads or changes them. Global, because adapters, other features and plugins do. */
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
        ZoneOwnershipService,
        ZoneSharesService,
        ZonePlacement,
        ZoneGenerationRepository,
        ZoneRegenerationService,
        HistoryRetentionService,
        HistoryRetentionRepository,
        StagedImports,
        StagedImportRepository,
        StagedImportsCleanup,
        { provide: ZoneUse, useClass: StoredZoneUse },
        { provide: ZonesOptions, useValue: options },
      ],
      exports: [
        ZonesService,
        ZoneCreator,
        ZoneOwnershipService,
        ZoneSharesService,
        ZoneRegenerationService,
        HistoryRetentionService,
        ZoneUse,
      ],
    };
  }
}
