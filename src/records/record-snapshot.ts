import { toRecordDto } from './dto/record.dto.js';
import type { RecordEntity } from './record.entity.js';

/**
 * A record as the journal keeps it: what the API shows, its version, and its RDATA for transfers. Assigned rather than
 * spread: an import makes one for each record, and spreading so many fields makes a large one.
 */
export function snapshotOf(record: RecordEntity): object {
  return Object.assign(toRecordDto(record), { version: record.version, rdata: record.rdata });
}
