import { type DynamicModule, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/zones.module.js';
import { ZoneCheckService } from './zone-check.service.js';
import { ZoneExportService } from './export/zone-export.service.js';
import { ChangedLines } from './export/changed-lines.js';
import { ZoneTextRendering } from './export/zone-text-rendering.js';
import { ZoneTexts } from './export/zone-texts.js';
import { ZoneExportTasksService } from './tasks/zone-export-tasks.service.js';
import { ZoneFileComparisonService } from './import/zone-file-comparison.service.js';
import { MissingRecords } from './import/missing-records.js';
import { ZoneImportService } from './import/zone-import.service.js';
import { ZoneImportTasksService } from './tasks/zone-import-tasks.service.js';
import { ZoneLookup } from './zone-lookup.js';
import { ZoneFileStoring } from './import/zone-file-storing.js';
import { ZoneFilesOptions } from './zone-files.options.js';
import { ZoneTaskRepository } from './tasks/zone-task.repository.js';
import { ZoneTasksService } from './tasks/zone-tasks.service.js';

/** Global, because adapters and plugins use it. */
@Module({})
export class ZoneFilesModule {
  static register(options: ZoneFilesOptions): DynamicModule {
    return {
      module: ZoneFilesModule,
      global: true,
      imports: [ZoneChangesModule],
      providers: [
        ZoneImportService,
        ZoneFileComparisonService,
        ZoneFileStoring,
        MissingRecords,
        ZoneExportService,
        ZoneTexts,
        ChangedLines,
        ZoneTextRendering,
        ZoneCheckService,
        ZoneLookup,
        ZoneTaskRepository,
        ZoneTasksService,
        ZoneExportTasksService,
        ZoneImportTasksService,
        { provide: ZoneFilesOptions, useValue: options },
      ],
      exports: [
        ZoneFilesOptions,
        ZoneImportService,
        ZoneFileComparisonService,
        ZoneExportService,
        ZoneCheckService,
        ZoneTasksService,
        ZoneExportTasksService,
        ZoneImportTasksService,
      ],
    };
  }
}
