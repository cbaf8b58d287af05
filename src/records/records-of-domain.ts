import { Injectable } from '@nestjs/common';
import type { DomainChange } from '../domains/domain-change.js';
import { DomainContents } from '../domains/domain-contents.js';
import { RecordRepository } from './record.repository.js';
import { RecordsetRepository } from './recordset.repository.js';

/** Fills the domains' port: the records go with their domain. */
@Injectable()
export class RecordsOfDomain extends DomainContents {
  constructor(
    private readonly records: RecordRepository,
    private readonly recordsets: RecordsetRepository,
  ) {
    super();
  }

  override async deleteAll({ tx, domain }: DomainChange): Promise<void> {
    await this.records.deleteAll(tx, domain.id);
    await this.recordsets.deleteAll(tx, domain.id);
  }
}
