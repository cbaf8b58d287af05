import { type DynamicModule, Module } from '@nestjs/common';
import { InspectionsController } from './inspections.controller.js';
import { InspectionsOptions } from './inspections.options.js';
import { InspectionsRepository } from './inspections.repository.js';
import { InspectionsService } from './inspections.service.js';

/** Shared providers of the interface, the command and the health check. */
@Module({})
export class InspectionsModule {
  static register(options: InspectionsOptions): DynamicModule {
    return {
      module: InspectionsModule,
      global: true,
      providers: [{ provide: InspectionsOptions, useValue: options }, InspectionsRepository, InspectionsService],
      exports: [InspectionsService],
    };
  }
}

/** The admin extension `inspections`. */
@Module({ controllers: [InspectionsController] })
export class InspectionsAdminModule {}
