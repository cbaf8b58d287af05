import { toRecordDto } from './dto/record.dto.js';
import type { RecordEntity } from './record.entity.js';

/** A record as the journal keeps it: what the API shows, its version, and its RDATA for transfers. */
export function snapshotOf(record: RecordEntity): object {
  return { ...toRecordDto(record), version: record.version, rdata: record.rdata };
}
