import { Module } from '@nestjs/common';
import { DomainsController } from './v1/domains.controller.js';
import { ZoneTasksController } from './v2/zone-tasks.controller.js';
import { ZoneSharesController } from './v2/zone-shares.controller.js';
import { ZonesController } from './v2/zones.controller.js';
import { ZoneChangesModule } from './changes/zone-changes.module.js';
import { ZoneViews } from './zone-views.js';

/** The adapter of zones for version 1. */
@Module({ controllers: [DomainsController] })
export class ZonesModule {}

/** The adapter of zones for version 2. */
@Module({
  imports: [ZoneChangesModule],
  controllers: [ZonesController, ZoneTasksController, ZoneSharesController],
  providers: [ZoneViews],
})
export class ZonesV2Module {}
