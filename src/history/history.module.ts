import { Global, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/changes/zone-changes.module.js';
import { ComparisonService } from './comparison.service.js';
import { FormerContentsReader } from './former-contents.js';
import { HistoryRepository } from './history.repository.js';
import { HistoryService } from './history.service.js';
import { HistoryPoints } from './history-points.js';
import { PointInTimeZones } from './point-in-time-zones.js';
import { RecordDifferences } from './record-differences.js';
import { RestoringService } from './restoring.service.js';
import { RevertService } from './revert.service.js';
import { ChangeSummaries } from './change-summaries.js';
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
    HistoryPoints,
    FormerContentsReader,
    PointInTimeZones,
    RecordDifferences,
    RestoringService,
    RevertService,
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
