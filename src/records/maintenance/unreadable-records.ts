import { Injectable, Logger } from '@nestjs/common';
import { type UnreadableRecord, isUnreadable, readStoredRecord } from '../stored-record.js';
import { RecordRepository } from '../record.repository.js';
import { RecordsOptions } from '../records.options.js';

const INTERVAL_MS = 3_600_000;
/** Above this number of records, the log may repeat a record. */
const REMEMBERED = 10_000;

/** Logs records that cannot be rendered, each once an hour. */
@Injectable()
export class UnreadableRecordLog {
  private readonly logger = new Logger('Zonewright');
  private readonly loggedAt = new Map<string, number>();

  add({ id, owner, type, reason }: UnreadableRecord): void {
    const now = performance.now();
    if (now - (this.loggedAt.get(id) ?? -Infinity) < INTERVAL_MS) return;
    if (this.loggedAt.size >= REMEMBERED) this.loggedAt.clear();
    this.loggedAt.set(id, now);
    this.logger.warn(`record ${id} (${owner} ${type}) cannot be rendered: ${reason}`);
  }
}

export interface UnreadableRecordOfZone extends UnreadableRecord {
  readonly zoneId: string;
}

/** Checks whether all stored records can be rendered (behaviour 12.4, `zonewright check`). */
@Injectable()
export class StoredRecordCheckService {
  constructor(
    private readonly records: RecordRepository,
    private readonly options: RecordsOptions,
  ) {}

  /** Yields records that cannot be rendered. Reads all zones in pages, and holds nothing between two pages. */
  async *check(): AsyncGenerator<UnreadableRecordOfZone> {
    for await (const row of this.records.all()) {
      const record = readStoredRecord(row, this.options.knownTypes);
      if (isUnreadable(record)) yield { ...record, zoneId: row.zoneId };
    }
  }
}
