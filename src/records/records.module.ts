import { type DynamicModule, Module, type Provider } from '@nestjs/common';
import { RecordTypes } from '../dns/rdata/index.js';
import { DomainContents } from '../domains/domain-contents.js';
import { DomainChangesModule } from '../domains/domain-changes.module.js';
import { CounterCheckRepository } from './counter-check.repository.js';
import { CounterCheckService } from './counter-check.service.js';
import { RecordPlacement } from './record-placement.js';
import { RecordWriting } from './record-writing.js';
import { RecordRepository } from './record.repository.js';
import { RecordsController } from './records.controller.js';
import { RecordsOfDomain } from './records-of-domain.js';
import { RECORDS_OPTIONS, type RecordsOptions } from './records.options.js';
import { RecordsService } from './records.service.js';
import { RecordsetRepository } from './recordset.repository.js';

@Module({})
export class RecordsModule {
  /** `limits` fills the port `RecordLimits`. */
  static register(options: RecordsOptions, limits: Provider): DynamicModule {
    return {
      module: RecordsModule,
      imports: [DomainChangesModule],
      controllers: [RecordsController],
      providers: [
        RecordsService,
        RecordWriting,
        RecordPlacement,
        RecordRepository,
        RecordsetRepository,
        CounterCheckRepository,
        CounterCheckService,
        { provide: RecordTypes, useValue: options.types },
        { provide: RECORDS_OPTIONS, useValue: options },
        { provide: DomainContents, useClass: RecordsOfDomain },
        limits,
      ],
      exports: [DomainContents, RecordWriting, RecordRepository, RecordTypes],
    };
  }
}
