import type { Quota } from './quota.js';
import { inSection } from '../config/option.js';
import { integer, MAX_INT32, quota } from '../config/readers.js';

/** The limits of a tenant for which no others are set. */
export const QUOTA_DEFAULTS = inSection('DEFAULT', {
  zones: { name: 'quota_zones', default: '10', reader: quota, meaning: 'domains a tenant may own' },
  zoneRecordsets: {
    name: 'quota_zone_recordsets',
    default: '500',
    reader: quota,
    meaning: 'record sets (name and type) in one domain',
  },
  zoneRecords: { name: 'quota_zone_records', default: '500', reader: quota, meaning: 'records in one domain' },
  recordsetRecords: {
    name: 'quota_recordset_records',
    default: '20',
    reader: quota,
    meaning: 'records of one name and type',
  },
  apiExportSize: {
    name: 'quota_api_export_size',
    default: '1000',
    reader: quota,
    meaning: 'records in one zone export',
  },
});

export const CHANGE_RATE_OPTIONS = inSection('service:api', {
  changesPerMinute: {
    name: 'changes_per_minute',
    default: '6000',
    reader: integer(0, MAX_INT32),
    meaning: 'changed records that a tenant may make in a minute, large ones counting more; 0: no limit',
  },
});

/** What quotas need of the configuration. */
export abstract class QuotasOptions {
  /** The limits of a tenant for which no others are set. */
  abstract readonly defaults: Quota;
}

/** What the rate of changes needs of it. */
export abstract class ChangeRateOptions {
  /** What a tenant may change in a minute in this process, in weights of changes; 0: as much as it likes. */
  abstract readonly perMinute: number;
}

/** What the list of limits shows of it beside quotas. */
export abstract class LimitsOptions {
  /** Lowest ttl in seconds that anybody but an admin may set; `null`: none. */
  abstract readonly minTtl: number | null;
}
