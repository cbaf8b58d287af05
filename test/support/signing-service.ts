import type { ZonewrightPlugin } from '../../src/plugins/plugin.js';
import type { Clock } from '../../src/common/clock.js';
import { assembleTestService, type AssembledService } from './assembled-service.js';
import { DNSSEC_ON } from './dnssec-on.js';
import type { Settings } from './service.js';

/** A service that signs zones and serves them; a test may pass a `clock` and plugins. */
export function assembleSigningService(
  settings: Settings = {},
  clock?: Clock,
  plugins: readonly ZonewrightPlugin[] = [],
): Promise<AssembledService> {
  const all = { SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1', ...DNSSEC_ON, ...settings };
  return assembleTestService({ settings: all, plugins, ...(clock !== undefined && { clock }) });
}
