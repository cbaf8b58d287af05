import { Global, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/zones.module.js';
import { ComparisonService, RecordDifferences } from './record-differences.js';
import { FormerContentsReader } from './former-contents.js';
import { HistoryRepository } from './history.repository.js';
import { HistoryService } from './history.service.js';
import { HistoryPoints } from './history-points.js';
import { PointInTimeZones } from './point-in-time-zones.js';
import { RestoringService } from './restoring.service.js';
import { LargeReverts } from './large-reverts.js';
import { Reversions } from './reversions.js';
import { RevertService } from './revert.service.js';
import { ChangeSummaries, ZoneChangesListService } from './change-summaries.js';
import { TenantChangesService, TenantStepsRepository } from './tenant-changes.service.js';

/** Global, because adapters, exports and plugins use it. */
@Global()
@Module({
  imports: [ZoneChangesModule],
  providers: [
    HistoryService,
    ComparisonService,
    HistoryRepository,
    HistoryPoints,
    FormerContentsReader,
    PointInTimeZones,
    RecordDifferences,
    RestoringService,
    RevertService,
    Reversions,
    LargeReverts,
    ChangeSummaries,
    TenantChangesService,
    TenantStepsRepository,
    ZoneChangesListService,
  ],
  exports: [
    HistoryService,
    ComparisonService,
    HistoryPoints,
    PointInTimeZones,
    RestoringService,
    RevertService,
    TenantChangesService,
    ZoneChangesListService,
  ],
})
export class HistoryModule {}
