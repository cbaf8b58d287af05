import { type DynamicModule, Module } from '@nestjs/common';
import { DatabaseModule } from '../database/database.module.js';
import type { OpenDatabase } from '../database/open-database.js';
import type { Core } from './composition.js';

/** The services of plugins on an open database, and what fills the ports: what the service and commands stand on. */
@Module({})
export class CoreModule {
  static register(database: OpenDatabase, { modules, ports }: Core, spoolDirectory: string | null): DynamicModule {
    return {
      module: CoreModule,
      global: true,
      imports: [DatabaseModule.register(database, spoolDirectory), ...modules],
      providers: ports.map(({ port, filler }) => ({ provide: port, useClass: filler })),
      exports: ports.map(({ port }) => port),
    };
  }
}
