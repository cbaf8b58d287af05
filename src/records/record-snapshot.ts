import type { RecordSnapshot } from '../zones/journal/journal-format.js';
import type { RecordEntity } from './record.entity.js';

/** Field by field: an import makes one for each record, and spreading so many fields makes a large object. */
export function snapshotOf(record: RecordEntity): RecordSnapshot {
  const snapshot = lastingSnapshotOf(record);
  // Hardly any record has it, and every row of the journal would say so.
  return record.expiresAt === null ? snapshot : { ...snapshot, expiresAt: record.expiresAt };
}

function lastingSnapshotOf(record: RecordEntity): RecordSnapshot {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    data: record.data,
    priority: record.priority,
    ttl: record.ttl,
    description: record.description,
    rdata: record.rdata,
    version: record.version,
    createdAt: record.createdAt,
    updatedAt: record.updatedAt,
  };
}
