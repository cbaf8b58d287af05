import { type DynamicModule, Module } from '@nestjs/common';
import { FlatQuotasController } from './v1/flat-quotas.controller.js';
import { QuotasController } from './admin/quotas.controller.js';
import { LimitsOptions } from './quotas.options.js';
import { QuotasService } from './quotas.service.js';
import { LimitsController } from './v2/limits.controller.js';
import { ProjectQuotasController } from './v2/project-quotas.controller.js';

/** The admin extension `quotas`: reads and changes the limits that `QuotaLimitsModule` enforces. */
@Module({ controllers: [QuotasController], providers: [QuotasService] })
export class QuotasModule {}

/** The version-1 extension `quotas`: the same in the form of the old client (behaviour 8.6). */
@Module({ controllers: [FlatQuotasController], providers: [QuotasService] })
export class FlatQuotasModule {}

/** The same in version 2, which has it whatever extensions are enabled, and what else limits a project. */
@Module({})
export class ProjectQuotasModule {
  static register(options: LimitsOptions): DynamicModule {
    return {
      module: ProjectQuotasModule,
      controllers: [ProjectQuotasController, LimitsController],
      providers: [QuotasService, { provide: LimitsOptions, useValue: options }],
    };
  }
}
