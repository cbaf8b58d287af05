import { type DynamicModule, Module } from '@nestjs/common';
import { Version2Controller } from './v2/version2.controller.js';
import { VersionsController } from './v1/versions.controller.js';
import { Versions } from './versions.js';
import { VersionsOptions } from './versions.options.js';

@Module({})
export class VersionsModule {
  static register(options: VersionsOptions): DynamicModule {
    return {
      module: VersionsModule,
      controllers: options.hasVersion2 ? [VersionsController, Version2Controller] : [VersionsController],
      providers: [{ provide: VersionsOptions, useValue: options }, Versions],
    };
  }
}
