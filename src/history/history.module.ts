import { Global, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/changes/zone-changes.module.js';
import { ComparisonService } from './comparison.service.js';
import { FormerContentsReader } from './former-contents.js';
import { HistoryRepository } from './history.repository.js';
import { HistoryService } from './history.service.js';
import { Moments } from './moments.js';
import { PastZones } from './past-zones.js';
import { RecordDifferences } from './record-differences.js';
import { RestoringService } from './restoring.service.js';
import { RevertService } from './revert.service.js';
import { SummedChanges } from './summed-changes.js';
import { TenantChangesService } from './tenant-changes.service.js';
import { TenantStepsRepository } from './tenant-steps.repository.js';
import { ZoneChangesListService } from './zone-changes-list.service.js';

/** What zones were, for whoever shows it. Global, because adapters, exports and plugins do. */
@Global()
@Module({
  imports: [ZoneChangesModule],
  providers: [
    HistoryService,
    ComparisonService,
    HistoryRepository,
    Moments,
    FormerContentsReader,
    PastZones,
    RecordDifferences,
    RestoringService,
    RevertService,
    SummedChanges,
    TenantChangesService,
    TenantStepsRepository,
    ZoneChangesListService,
  ],
  exports: [
    HistoryService,
    ComparisonService,
    Moments,
    PastZones,
    RestoringService,
    RevertService,
    TenantChangesService,
    ZoneChangesListService,
  ],
})
export class HistoryModule {}
