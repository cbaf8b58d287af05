import { Global, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/zone-changes.module.js';
import { HistoryRepository } from './history.repository.js';
import { HistoryService } from './history.service.js';
import { Moments } from './moments.js';

/** What zones were, for whoever shows it. Global, because adapters and plugins do. */
@Global()
@Module({
  imports: [ZoneChangesModule],
  providers: [HistoryService, HistoryRepository, Moments],
  exports: [HistoryService],
})
export class HistoryCoreModule {}
