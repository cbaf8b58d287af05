import { type DynamicModule, Module, type ModuleMetadata, type Provider } from '@nestjs/common';
import { DomainChangesModule } from './domain-changes.module.js';
import { DomainPlacement } from './domain-placement.js';
import { DomainsController } from './domains.controller.js';
import { DOMAINS_OPTIONS, type DomainsOptions } from './domains.options.js';
import { DomainsService } from './domains.service.js';

/** Who fills the ports `DomainContents` and `DomainLimits`, and the modules they come from. */
export interface DomainsPorts {
  readonly imports: NonNullable<ModuleMetadata['imports']>;
  readonly bindings: Provider[];
}

@Module({})
export class DomainsModule {
  static register(options: DomainsOptions, ports: DomainsPorts): DynamicModule {
    return {
      module: DomainsModule,
      imports: [DomainChangesModule, ...ports.imports],
      controllers: [DomainsController],
      exports: [DomainsService],
      providers: [DomainsService, DomainPlacement, { provide: DOMAINS_OPTIONS, useValue: options }, ...ports.bindings],
    };
  }
}
