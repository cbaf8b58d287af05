import type { StoredRecord } from '../api/types.js';

/** A record for specs: an A at its id. */
export function record(id: string, changed: Partial<StoredRecord> = {}): StoredRecord {
  return {
    ...{ id, name: `${id}.example.org.`, type: 'A', data: '192.0.2.1', priority: null, ttl: null, description: null },
    ...{ created_at: '', updated_at: null, domain_id: 'zone' },
    ...changed,
  };
}
