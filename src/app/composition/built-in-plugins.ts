import { ALIASES } from '../../aliases/aliases.plugin.js';
import { AUDIT } from '../../history/audit/audit.plugin.js';
import { AUTH } from '../../auth/auth.plugin.js';
import { CHANGE_LISTENERS } from '../../feed/listeners/change-listeners.plugin.js';
import { DYNAMIC_UPDATE } from '../../dynamic-update/dynamic-update.plugin.js';
import { DNSSEC } from '../../dnssec/dnssec.plugin.js';
import { EXTERNAL_DNS } from '../../external-dns/external-dns.plugin.js';
import { EVENTS } from '../../feed/events/events.plugin.js';
import { FLOATING_IPS } from '../../openstack/floating-ips/floating-ips.plugin.js';
import { HEALTH, METRICS } from '../../monitoring/monitoring.plugin.js';
import { HISTORY } from '../../history/history.plugin.js';
import { LIVE_CHECKS } from '../../live-checks/live-checks.plugin.js';
import { MOVES } from '../../moves/moves.plugin.js';
import { NOTICES } from '../../feed/notices/notices.plugin.js';
import type { ZonewrightPlugin } from '../../plugins/plugin.js';
import { PLUGINS } from '../../plugins/plugins.plugin.js';
import { POOLS } from '../../openstack/pools/pools.plugin.js';
import { POWERDNS } from '../../powerdns/powerdns.plugin.js';
import { PUBLICATIONS } from '../../feed/publications/publications.plugin.js';
import { PUBLISHING } from '../../publishing/publishing.plugin.js';
import { IDEMPOTENCY_KEYS } from '../../http/idempotency-keys/idempotency-keys.plugin.js';
import { QUOTAS } from '../../quotas/quotas.plugin.js';
import { RECORDS } from '../../records/records.plugin.js';
import { CONSOLE_PAGE } from '../../console/page/page.plugin.js';
import { SESSIONS } from '../../console/session/session.plugin.js';
import { SERVICE_STATUSES } from '../../openstack/service-statuses/service-statuses.plugin.js';
import { TEMPLATES } from '../../templates/templates.plugin.js';
import { TSIG_KEYS } from '../../openstack/tsig-keys/tsig-keys.plugin.js';
import { UPDATE_KEYS } from '../../dynamic-update/update-keys/update-keys.plugin.js';
import { VERSIONS } from '../../openstack/versions/versions.plugin.js';
import { WEBHOOKS } from '../../feed/webhooks/webhooks.plugin.js';
import { ZONE_FILES } from '../../zone-files/zone-files.plugin.js';
import { ZONE_NAMES } from '../../zones/names/zone-names.plugin.js';
import { OWNERSHIP_TRANSFER_REQUESTS } from '../../zones/sharing/ownership-transfer-requests.plugin.js';
import { ZONES } from '../../zones/zones.plugin.js';

/** A new feature is its folder and a line here. */
export const BUILT_IN_PLUGINS: readonly ZonewrightPlugin[] = [
  AUTH,
  SESSIONS,
  CONSOLE_PAGE,
  QUOTAS,
  ZONES,
  CHANGE_LISTENERS,
  EVENTS,
  ZONE_NAMES,
  RECORDS,
  HISTORY,
  AUDIT,
  ZONE_FILES,
  OWNERSHIP_TRANSFER_REQUESTS,
  PUBLISHING,
  MOVES,
  LIVE_CHECKS,
  UPDATE_KEYS,
  DYNAMIC_UPDATE,
  POWERDNS,
  EXTERNAL_DNS,
  DNSSEC,
  ALIASES,
  TEMPLATES,
  POOLS,
  TSIG_KEYS,
  SERVICE_STATUSES,
  FLOATING_IPS,
  IDEMPOTENCY_KEYS,
  WEBHOOKS,
  NOTICES,
  PUBLICATIONS,
  VERSIONS,
  PLUGINS,
  HEALTH,
  METRICS,
];
