import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal, expectStatus, refusalOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName, newDomain } from '../support/domain.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { OidcIssuer } from '../support/oidc-issuer.js';
import { type Client, type Method, type Settings, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import { PROBES } from '../support/v2-probe.js';

const PROBE = '/v2/probes/1d5e5d1a-93a6-4a64-8a4a-6c0f29b6b0b1';
const SHORT_COOLDOWN: Settings = { JWT__KEYS_COOLDOWN: '1' };
const DURATIONS = 'zonewright_identity_provider_duration_seconds_count';

let issuer: OidcIssuer;
const services: TestService[] = [];
beforeAll(async () => {
  issuer = await OidcIssuer.start();
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await issuer.stop();
});

async function serviceOf(settings: Settings = {}, { settings: ofIssuer } = issuer): Promise<TestService> {
  const service = await startTestService({ ...ofIssuer, ...settings }, undefined, [PROBES]);
  services.push(service);
  return service;
}

function withToken(service: TestService, token: string): Client {
  return {
    call: (method, path, body) => {
      const test = service.plain(method, path).set('Authorization', `Bearer ${token}`);
      return body === undefined ? test : test.set('Content-Type', 'application/json').send(JSON.stringify(body));
    },
  };
}

const ask = (service: TestService, token: string, method: Method = 'get', path = '/v1/domains', body?: object) =>
  withToken(service, token).call(method, path, body);

describe('14.3 auth_strategy jwt', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await serviceOf();
  });

  it('14.3 accepts a token of the issuer, with which its tenant creates a record in both versions', async () => {
    const client = withToken(service, await issuer.tokenOf('demo'));
    const domain = await newDomain(client);
    const record = await domain.newRecord();
    const set = { name: domain.at('v2'), type: 'A', records: ['192.0.2.4'] };
    await answerOf(client.call('post', `/v2/zones/${domain.id}/recordsets`, set), 202);
    expect(await domain.records()).toMatchObject([{ id: record.id }, { name: domain.at('v2') }]);
    const other = withToken(service, await issuer.tokenOf('other'));
    await answerOf(other.call('get', `/v1/domains/${domain.id}`), 404);
    const admin = ask(service, await issuer.tokenOf('admin'), 'get', `/v1/domains/${domain.id}`);
    await answerOf(admin.set('X-Auth-Sudo-Tenant-ID', 'demo'));
  });

  it('14.3 also accepts it in X-Auth-Token, as OpenStack clients send it', async () => {
    const token = await issuer.tokenOf('demo');
    await answerOf(service.plain('get', '/v2/zones').set('X-Auth-Token', token));
    const twice = service.plain('get', '/v1/domains').set('X-Auth-Token', token);
    expectStatus(await twice.set('Authorization', `Bearer ${token}`), 401);
  });

  it('14.3 notes the user and the token in the history', async () => {
    const client = withToken(service, await issuer.sign({ sub: 'alice', jti: 'token-1' }));
    const { id } = await newDomain(client);
    const { history } = await bodyOf<{ history: object[] }>(client.call('get', `/v1/domains/${id}/history`));
    expect(history).toMatchObject([{ actor: { tenant_id: 'demo', user: 'alice', token_id: 'token-1' } }]);
  });

  it('14.4 counts requests of a user with any token', async () => {
    const limited = await serviceOf({ RATE_LIMITS__REQUESTS_PER_TOKEN: '2', RATE_LIMITS__EXEMPT: '' });
    await answerOf(ask(limited, await issuer.sign({ sub: 'alice', jti: 'token-1' })));
    await answerOf(ask(limited, await issuer.sign({ sub: 'alice', jti: 'token-2' })));
    await refusalOf(ask(limited, await issuer.sign({ sub: 'alice', jti: 'token-3' })), 429, 'rate_limited');
    await answerOf(ask(limited, await issuer.sign({ sub: 'bob', jti: 'token-4' })));
  });

  it('14.3 accepts its roles only where they are mapped', async () => {
    const reader = await issuer.tokenOf('reader');
    await answerOf(ask(service, reader, 'get', PROBE));
    await answerOf(ask(service, reader, 'delete', PROBE), 403);
    await answerOf(ask(service, await issuer.tokenOf('guest'), 'get', PROBE), 403);
    await answerOf(ask(service, await issuer.tokenOf('guest')), 401);
    await answerOf(ask(service, await issuer.tokenOf('demo'), 'get', '/v2/probes/secret'), 403);
    await answerOf(ask(service, await issuer.tokenOf('admin'), 'get', '/v2/probes/secret'));
  });

  it('14.3 reads tenant and roles from the configured claims', async () => {
    const mapped = await serviceOf({
      JWT__TENANT_CLAIM: 'organization',
      JWT__ROLES_CLAIM: 'realm_access.roles',
      JWT__USER_CLAIM: 'client_id',
      JWT__MEMBER_ROLES: 'DNS-writer',
    });
    const token = await issuer.tokenOf('nested');
    const { caller } = await bodyOf<{ caller: object }>(ask(mapped, token, 'get', PROBE));
    expect(caller).toMatchObject({ tenantId: 'nested', roles: ['member'], user: 'nested' });
    await answerOf(ask(mapped, await issuer.tokenOf('demo'), 'get', PROBE), 403);
  });

  it('14.3 refuses a token whose claim of the tenant is not the name of one', async () => {
    for (const tenant of [['demo', 'other'], 7, '', ' ']) {
      const token = await issuer.sign({ tenant_id: tenant });
      await answerOf(ask(service, token, 'get', PROBE), 403);
      await refusalOf(ask(service, token), 401, 'access_denied');
    }
  });

  it('14.1, 14.3 lets an admin without a tenant administer, read all, and act for a tenant that it names', async () => {
    const operator = withToken(service, await issuer.tokenOf('operator'));
    const domain = await newDomain(withToken(service, await issuer.tokenOf('demo')));
    await answerOf(operator.call('post', '/v2/blacklists', { pattern: '^forbidden\\.example\\.$' }), 201);
    await answerOf(operator.call('get', '/v2/zones'), 403);
    await answerOf(operator.call('post', '/v2/zones', { name: freshName(), email: 'a@example.org' }), 403);
    const all = (method: Method, path: string, body?: object) =>
      operator.call(method, path, body).set('X-Auth-All-Projects', 'true');
    await answerOf(all('get', `/v2/zones/${domain.id}`));
    await answerOf(all('patch', '/v2/quotas/demo', { zones: 1000 }));
    expect((await bodyOf<{ domains: DomainBody[] }>(all('get', '/v1/domains'))).domains).toContainEqual(
      expect.objectContaining({ id: domain.id }),
    );
    await answerOf(all('post', '/v2/zones', { name: freshName(), email: 'a@example.org' }), 403);
    await refusalOf(all('delete', `/v1/domains/${domain.id}`), 401, 'access_denied');
    const made = operator.call('post', '/v1/domains', { name: freshName(), email: 'a@example.org' });
    const { id } = await bodyOf<DomainBody>(made.set('X-Auth-Sudo-Tenant-ID', 'demo'));
    await answerOf(ask(service, await issuer.tokenOf('demo'), 'get', `/v1/domains/${id}`));
    // A caller without the admin role needs a tenant.
    const member = withToken(service, await issuer.sign({ tenant_id: null }));
    for (const path of ['/v2/zones', '/v2/probes/secret']) await answerOf(member.call('get', path), 403);
    await answerOf(member.call('get', '/v2/zones').set('X-Auth-All-Projects', 'true'), 403);
  });

  it('14.2, 14.3 creates no service tokens', async () => {
    const admin = withToken(service, await issuer.tokenOf('admin'));
    for (const [method, path] of [
      ['get', '/v1/tokens'],
      ['post', '/v1/tokens'],
      ['delete', '/v1/tokens/1d5e5d1a-93a6-4a64-8a4a-6c0f29b6b0b1'],
    ] as const)
      await refusalOf(admin.call(method, path, method === 'post' ? {} : undefined), 401, 'access_denied');
  });

  it('14.3 names the scheme to callers without a token', async () => {
    for (const path of ['/v1/domains', '/v2/zones']) {
      const answer = await service.plain('get', path);
      expectStatus(answer, 401);
      expect(answer.headers['www-authenticate']).toBe('Bearer');
    }
  });

  it('14.3, 16.3 shows how long the issuer took', async () => {
    await answerOf(ask(service, await issuer.tokenOf('demo')));
    const page = await answerOf(ask(service, await issuer.tokenOf('admin'), 'get', '/metrics'));
    for (const request of ['discovery', 'keys'])
      expect(
        sumOf(samplesIn(page.text), DURATIONS, { provider: 'issuer', request, result: 'answered' }),
      ).toBeGreaterThan(0);
  });
});

describe('14.3 the keys of an issuer', () => {
  let own: OidcIssuer;
  beforeAll(async () => {
    own = await OidcIssuer.start('ES256');
  });
  afterAll(() => own.stop());

  it('14.3 are fetched once for all requests', async () => {
    const service = await serviceOf({}, own);
    const token = await own.tokenOf('demo');
    const before = own.keyFetches;
    const answers = await Promise.all(Array.from({ length: 30 }, () => ask(service, token)));
    for (const answer of answers) expectStatus(answer, 200);
    await answerOf(ask(service, token));
    expect(own.keyFetches - before).toBe(1);
  });

  it('14.3 are fetched again for a new one, and old ones stay good while they are published', async () => {
    const service = await serviceOf(SHORT_COOLDOWN, own);
    const old = await own.tokenOf('demo');
    await answerOf(ask(service, old));
    await own.rotate();
    const young = await own.tokenOf('demo');
    await until(async () => (await ask(service, young)).status === 200);
    await answerOf(ask(service, old));
  });

  it('14.3 that the issuer has withdrawn are refused', async () => {
    const service = await serviceOf(SHORT_COOLDOWN, own);
    const old = await own.tokenOf('demo');
    await answerOf(ask(service, old));
    await own.rotate({ keepOld: false });
    // A token with the new key has them fetched; that of a client with the old one need not.
    const young = await own.tokenOf('demo');
    await until(async () => (await ask(service, young)).status === 200);
    await refusalOf(ask(service, old), 401, 'access_denied');
  });

  it('14.3 are not fetched for each token with an unknown one', async () => {
    const service = await serviceOf({ JWT__KEYS_COOLDOWN: '3600' }, own);
    await answerOf(ask(service, await own.tokenOf('demo')));
    const before = own.asked.length;
    for (let at = 0; at < 50; at += 1)
      await refusalOf(ask(service, await own.sign({}, { kid: `unknown-${at}` })), 401, 'access_denied');
    expect(own.asked.length).toBe(before);
  });

  it('14.3 are renewed in time, so that a withdrawn one expires', async () => {
    const service = await serviceOf({ JWT__KEYS_CACHE_TIME: '2' }, own);
    const token = await own.tokenOf('demo');
    await answerOf(ask(service, token));
    await own.rotate({ keepOld: false });
    await until(async () => (await ask(service, token)).status === 401, 20_000);
  });

  it('14.3 are unused beyond their maximum age, however their renewal fails', async () => {
    const service = await serviceOf({ JWT__KEYS_CACHE_TIME: '1' }, own);
    const token = await own.tokenOf('demo');
    await answerOf(ask(service, token));
    await own.stop();
    try {
      await until(async () => (await ask(service, token)).status === 503, 20_000);
    } finally {
      await own.restart();
    }
    await until(async () => (await ask(service, token)).status === 200, 20_000);
  });

  it('14.3 of an unreachable issuer are 503 until it returns; cached tokens stay valid', async () => {
    const knowing = await serviceOf({}, own);
    const starting = await serviceOf({}, own);
    const token = await own.tokenOf('demo');
    await answerOf(ask(knowing, token));
    await own.stop();
    try {
      await answerOf(ask(knowing, token));
      for (const path of ['/v1/domains', '/v2/zones']) {
        const answer = await ask(starting, token, 'get', path);
        expectStatus(answer, 503);
        expect(answer.headers['retry-after']).toBe('2');
      }
      expectRefusal(await ask(starting, token), { status: 503, type: 'unavailable' });
      // A malformed token is invalid, with or without the issuer.
      expectStatus(await starting.plain('get', '/v1/domains').set('X-Auth-Token', 'another'), 401);
    } finally {
      await own.restart();
    }
    await until(async () => (await ask(starting, token)).status === 200);
  });
});
