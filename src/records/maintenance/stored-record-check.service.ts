import { Injectable } from '@nestjs/common';
import { RecordRepository } from '../record.repository.js';
import { RecordsOptions } from '../records.options.js';
import { isUnreadable, readStoredRecord, type UnreadableRecord } from '../stored-record.js';

export interface UnreadableRecordOfZone extends UnreadableRecord {
  readonly zoneId: string;
}

/** Whether all stored records can be rendered (behaviour 12.4, `zonewright check`). */
@Injectable()
export class StoredRecordCheckService {
  constructor(
    private readonly records: RecordRepository,
    private readonly options: RecordsOptions,
  ) {}

  /** The records that cannot be rendered. It goes through all zones page by page, and holds nothing between two pages. */
  async *check(): AsyncGenerator<UnreadableRecordOfZone> {
    for await (const row of this.records.all()) {
      const record = readStoredRecord(row, this.options.knownTypes);
      if (isUnreadable(record)) yield { ...record, zoneId: row.zoneId };
    }
  }
}
