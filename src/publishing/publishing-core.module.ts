import { type DynamicModule, Module } from '@nestjs/common';
import { PublishingOptions } from './publishing.options.js';

/** What publishes zones; its workers run where the service or `zonewright mdns` starts them. */
@Module({})
export class PublishingCoreModule {
  static register(options: PublishingOptions): DynamicModule {
    return {
      module: PublishingCoreModule,
      providers: [{ provide: PublishingOptions, useValue: options }],
      exports: [PublishingOptions],
    };
  }
}
