import { type DynamicModule, Module } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/zone-changes.module.js';
import { ZoneCheckService } from './zone-check.service.js';
import { ZoneExportService } from './zone-export.service.js';
import { ZoneExportTasksService } from './zone-export-tasks.service.js';
import { ZoneFileComparisonService } from './zone-file-comparison.service.js';
import { ZoneImportService } from './zone-import.service.js';
import { ZoneImportTasksService } from './zone-import-tasks.service.js';
import { ZoneLookup } from './zone-lookup.js';
import { ZoneFileStoring } from './zone-file-storing.js';
import { ZoneFilesOptions } from './zone-files.options.js';
import { ZoneTaskRepository } from './zone-task.repository.js';
import { ZoneTasksService } from './zone-tasks.service.js';

/** Zone files in and out. Global, because adapters and plugins use it. */
@Module({})
export class ZoneFilesCoreModule {
  static register(options: ZoneFilesOptions): DynamicModule {
    return {
      module: ZoneFilesCoreModule,
      global: true,
      imports: [ZoneChangesModule],
      providers: [
        ZoneImportService,
        ZoneFileComparisonService,
        ZoneFileStoring,
        ZoneExportService,
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
