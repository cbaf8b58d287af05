import { randomBytes } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { loadConfig } from '../app/composition/built-in-options.js';

const KEY = randomBytes(32).toString('base64');

function configured(settings: Readonly<Record<string, string>>) {
  const env = Object.entries({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_DNSSEC__ENABLED: 'True',
    SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: KEY,
    ...settings,
  }).map(([option, value]) => [`ZONEWRIGHT_${option}`, value] as const);
  return loadConfig({ env: Object.fromEntries(env) });
}

describe('23.6 [service:dnssec]', () => {
  it('has defaults that outlast a service that is down', () => {
    const { dnssec, central } = configured({});
    expect(dnssec).toMatchObject({ enabled: true, algorithm: 13, denial: 'nsec', validity: 28, refresh: 17 });
    expect(dnssec.refresh * 86_400).toBeGreaterThan(central.soaTimers.expire + dnssec.maxTtl + 3600);
  });

  it.each([
    ['signatures that end before name servers give the domain up', { SERVICE_DNSSEC__REFRESH: '14' }],
    ['name servers that give it up later', { SERVICE_CENTRAL__SOA_EXPIRE: '2419200' }],
    ['longer ttls', { SERVICE_DNSSEC__MAX_TTL: '604800' }],
    ['a validity that leaves no time to spread renewals', { SERVICE_DNSSEC__VALIDITY: '21' }],
    ['no name servers', { SERVICE_MDNS__ENABLED: 'False' }],
    ['a key that is too short', { SERVICE_DNSSEC__KEY_ENCRYPTION_KEYS: randomBytes(16).toString('base64') }],
    ['an algorithm that must not sign', { SERVICE_DNSSEC__ALGORITHM: 'RSASHA1' }],
    ['a lifetime shorter than a rollover', { SERVICE_DNSSEC__ZSK_LIFETIME: '13' }],
    ['another denial', { SERVICE_DNSSEC__DENIAL: 'nsec5' }],
  ])('refuses %s', (_, settings) => {
    expect(() => configured(settings)).toThrow(/service:dnssec/);
  });

  it('accepts all of them where nothing is signed', () => {
    expect(() =>
      configured({ SERVICE_DNSSEC__ENABLED: 'False', SERVICE_CENTRAL__SOA_EXPIRE: '2419200' }),
    ).not.toThrow();
  });
});
