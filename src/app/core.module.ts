import { type DynamicModule, Module } from '@nestjs/common';
import { Streams } from '../common/streams.js';
import type { ApiConfig } from '../config/config.js';
import { DatabaseModule } from '../database/database.module.js';
import type { OpenDatabase } from '../database/open-database.js';
import type { Core } from './composition.js';

type CoreSettings = Pick<ApiConfig, 'maxStreams' | 'spoolDirectory'>;

/** The services of plugins on an open database, and what fills the ports: what the service and commands stand on. */
@Module({})
export class CoreModule {
  static register(database: OpenDatabase, { modules, ports }: Core, api: CoreSettings): DynamicModule {
    const streams = { provide: Streams, useValue: new Streams(api.maxStreams) };
    return {
      module: CoreModule,
      global: true,
      imports: [DatabaseModule.register(database, api.spoolDirectory), ...modules],
      providers: [streams, ...ports.map(({ port, filler }) => ({ provide: port, useClass: filler }))],
      exports: [Streams, ...ports.map(({ port }) => port)],
    };
  }
}
