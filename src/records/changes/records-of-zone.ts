import { Injectable } from '@nestjs/common';
import type { Transaction } from '../../database/transaction.js';
import { ZoneContents } from '../../zones/zone-contents.js';
import { RecordSetCreatorRepository } from '../record-set-creator.repository.js';
import { RecordRepository } from '../record.repository.js';
import { RecordSetRepository } from '../record-set.repository.js';

/** Fills the zones port: finds records that a new child zone would take over, and deletes records with their zone. */
@Injectable()
export class RecordsOfZone extends ZoneContents {
  constructor(
    private readonly records: RecordRepository,
    private readonly recordsets: RecordSetRepository,
    private readonly creators: RecordSetCreatorRepository,
  ) {
    super();
  }

  override hasRecordsFor(tx: Transaction, zoneId: string, nameKey: string): Promise<boolean> {
    return this.recordsets.hasBeyondCut(tx, zoneId, nameKey);
  }

  override hasRecordSetsOf(tx: Transaction, zoneId: string, tenantId: string): Promise<boolean> {
    return this.creators.hasSets(tx, zoneId, tenantId);
  }

  override makeOwn(tx: Transaction, zoneId: string, tenantId: string): Promise<void> {
    return this.creators.deleteOfTenant(tx, zoneId, tenantId);
  }

  override async delete(tx: Transaction, contentsId: string, mostMs: number): Promise<boolean> {
    const end = performance.now() + mostMs;
    return (
      (await this.records.deleteContents(tx, contentsId, end)) ||
      (await this.recordsets.deleteContents(tx, contentsId, end)) ||
      // The creators of other contents are removed as those of lost sets.
      (await this.creators.deleteOfContents(tx, contentsId, end))
    );
  }
}
