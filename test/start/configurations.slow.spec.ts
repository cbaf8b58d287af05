import { afterEach, describe, expect, it } from '@jest/globals';
import { expectStatus } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { ADMIN_TOKEN, type Settings, startTestService, type TestService } from '../support/service.js';

const ADMIN = { SERVICE_API__ENABLE_API_ADMIN: 'True', SERVICE_API__ENABLED_EXTENSIONS_ADMIN: 'quotas' };
const FLAT = { SERVICE_API__ENABLED_EXTENSIONS_V1: 'quotas' };

/** Every choice that changes the graph: a mistake in it shows at the start and nowhere else. */
const CONFIGURATIONS: readonly [what: string, settings: Settings][] = [
  ['the defaults, with noauth', {}],
  ['auth_strategy token', { SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN }],
  ['no docs', { SERVICE_API__DOCS: 'False' }],
  ['a database in memory', { DATABASE__URL: 'sqlite::memory:' }],
  ['strict clients', { SERVICE_API__V1_STRICT_CLIENTS: 'True' }],
  ['no deprecation header', { SERVICE_API__V1_DEPRECATION_HEADER: 'False' }],
  ['CORS', { SERVICE_API__CORS_ALLOWED_ORIGINS: 'https://dns.example.org' }],
  ['trusted proxies', { SERVICE_API__TRUSTED_PROXIES: '127.0.0.1,2001:db8::/32' }],
  ['a base URI', { SERVICE_API__API_BASE_URI: 'https://dns.example.org' }],
  ['an IPv6 address', { SERVICE_API__LISTEN: '[::1]:0' }],
  ['a host name', { SERVICE_API__LISTEN: 'localhost:0' }],
  ['the quotas extension', ADMIN],
  ['the flat quotas extension', FLAT],
  ['both quotas extensions', { ...ADMIN, ...FLAT }],
  [
    'everything at once',
    {
      ...ADMIN,
      ...FLAT,
      SERVICE_API__CORS_ALLOWED_ORIGINS: 'https://dns.example.org',
      SERVICE_API__V1_STRICT_CLIENTS: 'True',
    },
  ],
];

describe('the graph starts and serves', () => {
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  it.each(CONFIGURATIONS)('with %s', async (_, settings) => {
    service = await startTestService(settings);
    const token = { 'X-Auth-Token': ADMIN_TOKEN };
    const { plain, as } = service;
    const client = {
      call: (...ask: Parameters<TestService['call']>) => {
        const test = as('tenant-a', 'admin').call(...ask);
        return settings.SERVICE_API__AUTH_STRATEGY === 'token' ? test.set(token) : test;
      },
    };
    const domain = await newDomain(client);
    const record = await domain.newRecord();
    expectStatus(await client.call('put', `/v1/domains/${domain.id}/records/${record.id}`, { ttl: 60 }), 200);
    expect((await client.call('get', `/v1/domains/${domain.id}/records`)).body.records).toHaveLength(1);
    expectStatus(await client.call('delete', `/v1/domains/${domain.id}`), 200);
    expectStatus(await plain('get', '/docs'), settings.SERVICE_API__DOCS === 'False' ? 404 : 200);
    expectStatus(await plain('get', '/openapi.json'), settings.SERVICE_API__DOCS === 'False' ? 404 : 200);
  });

  it('with several services in one process, each on its own database', async () => {
    service = await startTestService({ DATABASE__URL: 'sqlite::memory:' });
    await newDomain(service);
    const other = await startTestService({ DATABASE__URL: 'sqlite::memory:' });
    try {
      expect((await other.call('get', '/v1/domains')).body).toEqual({ domains: [] });
    } finally {
      await other.stop();
    }
    expect((await service.call('get', '/v1/domains')).body.domains).toHaveLength(1);
  });
});
