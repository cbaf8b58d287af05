import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { ZoneChangesModule } from '../zones/zone-changes.module.js';
import { SeenRecordsRepository } from './seen-records.repository.js';
import { ZoneCheckService } from './zone-check.service.js';
import { ZoneExportService } from './zone-export.service.js';
import { ZoneImportService } from './zone-import.service.js';
import { ZoneLookup } from './zone-lookup.js';
import { ZoneFilesController } from './v1/zone-files.controller.js';
import { ZoneFilesOptions } from './zone-files.options.js';

@Module({})
export class ZoneFilesModule {
  /** `rooms` are the zones' and the records' modules, `limits` fills the port `ExportLimits`. */
  static register(options: ZoneFilesOptions, rooms: DynamicModule[], limits: Provider): DynamicModule {
    return {
      module: ZoneFilesModule,
      imports: [ZoneChangesModule, ...rooms],
      controllers: [ZoneFilesController],
      providers: [
        ZoneImportService,
        ZoneExportService,
        ZoneCheckService,
        ZoneLookup,
        SeenRecordsRepository,
        { provide: ZoneFilesOptions, useValue: options },
        limits,
      ],
      exports: [ZoneImportService, ZoneExportService, ZoneCheckService],
    };
  }
}
