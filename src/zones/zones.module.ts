import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { DomainChangesModule } from '../domains/domain-changes.module.js';
import { SeenRecordsRepository } from './seen-records.repository.js';
import { ZoneCheckService } from './zone-check.service.js';
import { ZoneContents } from './zone-contents.js';
import { ZoneExportService } from './zone-export.service.js';
import { ZoneImportService } from './zone-import.service.js';
import { ZoneLookup } from './zone-lookup.js';
import { ZoneRepository } from './zone.repository.js';
import { ZonesController } from './zones.controller.js';
import { ZONES_OPTIONS, type ZonesOptions } from './zones.options.js';

@Module({})
export class ZonesModule {
  /** `rooms` are the domains' and the records' modules, `limits` fills the port `ExportLimits`. */
  static register(options: ZonesOptions, rooms: DynamicModule[], limits: Provider): DynamicModule {
    return {
      module: ZonesModule,
      imports: [DomainChangesModule, ...rooms],
      controllers: [ZonesController],
      providers: [
        ZoneImportService,
        ZoneExportService,
        ZoneCheckService,
        ZoneContents,
        ZoneLookup,
        ZoneRepository,
        SeenRecordsRepository,
        { provide: ZONES_OPTIONS, useValue: options },
        limits,
      ],
      exports: [ZoneImportService, ZoneExportService, ZoneCheckService],
    };
  }
}
