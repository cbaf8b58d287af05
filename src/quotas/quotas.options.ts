import type { Quota } from './quota.js';
import { inSection, option } from '../config/option.js';
import { integer, MAX_INT32, quota } from '../config/readers.js';

export const QUOTA_DEFAULTS = inSection('DEFAULT', {
  zones: option(quota, '10', 'domains a tenant may own', { name: 'quota_zones' }),
  zoneRecordsets: option(quota, '500', 'record sets (name and type) in one domain', { name: 'quota_zone_recordsets' }),
  zoneRecords: option(quota, '500', 'records in one domain', { name: 'quota_zone_records' }),
  recordsetRecords: option(quota, '20', 'records of one name and type', { name: 'quota_recordset_records' }),
  apiExportSize: option(quota, '1000', 'records in one zone export', { name: 'quota_api_export_size' }),
});

export const CHANGE_RATE_OPTIONS = inSection('service:api', {
  changesPerMinute: option(
    integer(0, MAX_INT32),
    '6000',
    'changed records that a tenant may make in a minute, large ones counting more; 0: no limit',
  ),
});

export abstract class QuotasOptions {
  abstract readonly defaults: Quota;
}

export abstract class ChangeRateOptions {
  /** Weight of changes in this process; 0: no limit. */
  abstract readonly perMinute: number;
}

export abstract class LimitsOptions {
  /** Seconds, for callers without the admin role; `null`: none. */
  abstract readonly minTtl: number | null;
}
