import type { RecordEntity } from '../record.entity.js';

/** A record as far as name servers see it. */
export type ServedRecord = Pick<RecordEntity, 'id' | 'name' | 'ownerKey' | 'type' | 'ttl' | 'rdata' | 'fingerprint'>;

export const SERVED_COLUMNS = 'id, name, owner_key AS "ownerKey", type, ttl, rdata, fingerprint';
