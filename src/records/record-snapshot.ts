import { formatInstant } from '../common/clock.js';
import type { RecordEntity } from './record.entity.js';

/** A record as the journal keeps it: what is served and shown, its version, and its RDATA for transfers. */
export function snapshotOf(record: RecordEntity): object {
  return {
    id: record.id,
    name: record.name,
    type: record.type,
    created_at: formatInstant(record.createdAt),
    updated_at: record.updatedAt === null ? null : formatInstant(record.updatedAt),
    ttl: record.ttl,
    data: record.data,
    domain_id: record.zoneId,
    priority: record.priority,
    description: record.description,
    version: record.version,
    rdata: record.rdata,
  };
}
