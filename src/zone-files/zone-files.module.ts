import { Module } from '@nestjs/common';
import { ZoneFilesController } from './v1/zone-files.controller.js';
import { ZoneExportsController } from './v2/zone-exports.controller.js';
import { ZoneImportsController } from './v2/zone-imports.controller.js';
import { ZoneTaskUpkeep } from './tasks/zone-task-upkeep.js';

/** The adapters of zone files. */
@Module({ controllers: [ZoneFilesController] })
export class ZoneFilesModule {}

/** Those of version 2. */
@Module({ controllers: [ZoneExportsController, ZoneImportsController], providers: [ZoneTaskUpkeep] })
export class ZoneFilesV2Module {}
