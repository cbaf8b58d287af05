import { type DynamicModule, Module } from '@nestjs/common';
import { AcmeOptions } from './acme.options.js';
import { ReportRepository } from './reports/report.repository.js';
import { ReportsService } from './reports/reports.service.js';

/** Shared providers of the team's interfaces, commands and limits. */
@Module({})
export class AcmeModule {
  static register(options: AcmeOptions): DynamicModule {
    return {
      module: AcmeModule,
      global: true,
      providers: [{ provide: AcmeOptions, useValue: options }, ReportRepository, ReportsService],
      exports: [AcmeOptions, ReportsService],
    };
  }
}
