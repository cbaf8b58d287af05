import { type DynamicModule, Module } from '@nestjs/common';
import { AuditOptions } from './audit.options.js';
import { AuditRepository } from './audit.repository.js';
import { AuditService } from './audit.service.js';

/** The audit, for whoever shows it. */
@Module({})
export class AuditCoreModule {
  static register(options: AuditOptions): DynamicModule {
    return {
      module: AuditCoreModule,
      global: true,
      providers: [AuditService, AuditRepository, { provide: AuditOptions, useValue: options }],
      exports: [AuditService, AuditRepository, AuditOptions],
    };
  }
}
