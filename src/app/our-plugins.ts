import { AUTH } from '../auth/auth.plugin.js';
import { HEALTH } from '../health/health.plugin.js';
import { HISTORY } from '../history/history.plugin.js';
import type { ZonewrightPlugin } from '../plugins/plugin.js';
import { PUBLISHING } from '../publishing/publishing.plugin.js';
import { IDEMPOTENCY_KEYS } from '../idempotency-keys/idempotency-keys.plugin.js';
import { QUOTAS } from '../quotas/quotas.plugin.js';
import { RECORDS } from '../records/records.plugin.js';
import { VERSIONS } from '../versions/versions.plugin.js';
import { ZONE_FILES } from '../zone-files/zone-files.plugin.js';
import { ZONES } from '../zones/zones.plugin.js';

/** What the service consists of. A new feature is its folder and its line here. */
export const OUR_PLUGINS: readonly ZonewrightPlugin[] = [
  AUTH,
  QUOTAS,
  ZONES,
  RECORDS,
  HISTORY,
  ZONE_FILES,
  PUBLISHING,
  IDEMPOTENCY_KEYS,
  VERSIONS,
  HEALTH,
];
