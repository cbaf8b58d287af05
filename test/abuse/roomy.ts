import type { Settings } from '../support/service.js';
import { unlimitedChanges } from './options.js';

/** Limits that let one tenant make large domains, as operators grant them. */
export const ROOMY: Settings = {
  ...unlimitedChanges(),
  DEFAULT__QUOTA_ZONES: '1000',
  DEFAULT__QUOTA_ZONE_RECORDS: '100000',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '100000',
  // $GENERATE output counts like written lines.
  SERVICE_API__MAX_BODY_SIZE: '8 MiB',
};

/** One line, however many records. */
export const linesOf = (records: number): string => `$GENERATE 1-${records} h$ 300 IN A 192.0.2.1\n`;
