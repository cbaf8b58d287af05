import { randomBytes } from 'node:crypto';
import type { Settings } from './service.js';

/** A service that can sign, with a key of this test file for the keys of its domains. */
export const DNSSEC_ON: Settings = {
  SERVICE_DNSSEC__ENABLED: 'True',
  SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
};
