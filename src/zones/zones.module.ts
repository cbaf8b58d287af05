import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { ZoneChangesModule } from './zone-changes.module.js';
import { ZonePlacement } from './zone-placement.js';
import { DomainsController } from './v1/domains.controller.js';
import { ZoneRegenerationService } from './zone-regeneration.service.js';
import { ZonesOptions } from './zones.options.js';
import { ZonesService } from './zones.service.js';

/** Who fills the ports `ZoneContents` and `ZoneLimits`, and the modules they come from. */
export interface ZonesPorts {
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  readonly bindings: Provider[];
}

@Module({})
export class ZonesModule {
  static register(options: ZonesOptions, ports: ZonesPorts): DynamicModule {
    return {
      module: ZonesModule,
      imports: [ZoneChangesModule, ...ports.imports],
      controllers: [DomainsController],
      exports: [ZonesService, ZoneRegenerationService],
      providers: [
        ZonesService,
        ZonePlacement,
        ZoneRegenerationService,
        { provide: ZonesOptions, useValue: options },
        ...ports.bindings,
      ],
    };
  }
}
