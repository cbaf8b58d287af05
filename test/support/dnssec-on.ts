import { randomBytes } from 'node:crypto';
import type { Settings } from './service.js';

/** A service that can sign, with a key of this test file for the keys of its domains. */
export const DNSSEC_ON: Settings = {
  SERVICE_DNSSEC__ENABLED: 'True',
  SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(32).toString('base64'),
};

const WAITS =
  /^(?:the first signatures|every name server must|caches may have|an operator must act|the parent zone must (?<change>have|delete|replace))\b/;

/** Whether a rollover waits for a new DS. Throws for an unknown text, as a test would never confirm that DS. */
export function isNewDsAwaited(waitsFor: string | null): boolean {
  if (waitsFor === null) return false;
  const wait = WAITS.exec(waitsFor);
  if (wait === null) throw new Error(`unknown text of waits_for: ${waitsFor}`);
  return wait.groups?.change === 'replace';
}
