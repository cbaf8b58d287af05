import { Injectable } from '@nestjs/common';
import type { Transaction } from '../database/transaction.js';
import { ZoneContents } from '../zones/zone-contents.js';
import { RecordRepository } from './record.repository.js';
import { RecordSetRepository } from './record-set.repository.js';

/** Fills the zones' port: which records a new zone would take, and that they go with their zone. */
@Injectable()
export class RecordsOfZone extends ZoneContents {
  constructor(
    private readonly records: RecordRepository,
    private readonly recordsets: RecordSetRepository,
  ) {
    super();
  }

  override hasRecordsFor(tx: Transaction, zoneId: string, nameKey: string): Promise<boolean> {
    return this.recordsets.hasBeyondCut(tx, zoneId, nameKey);
  }

  override async deleteAll(tx: Transaction, zoneId: string): Promise<void> {
    await this.records.deleteOfZone(tx, zoneId);
    await this.recordsets.deleteOfZone(tx, zoneId);
  }
}
