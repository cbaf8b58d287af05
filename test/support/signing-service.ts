import type { Clock } from '../../src/common/clock.js';
import { assembleTestService, type AssembledService } from './assembled-service.js';
import { DNSSEC_ON } from './dnssec-on.js';
import type { Settings } from './service.js';

/** A service that signs zones and serves them; a test may pass a `clock`. */
export function assembleSigningService(settings: Settings = {}, clock?: Clock): Promise<AssembledService> {
  const all = { SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1', ...DNSSEC_ON, ...settings };
  return assembleTestService(clock === undefined ? { settings: all } : { clock, settings: all });
}
