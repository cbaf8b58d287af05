import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { expectStatus, REQUEST_ID } from '../support/answers.js';
import { freshName, newDomain } from '../support/domain.js';
import { sendRaw } from '../support/raw-http.js';
import { type Settings, startTestService, type TestService } from '../support/service.js';

describe('headers of every answer', () => {
  let service: TestService;
  beforeAll(async () => {
    service = await startTestService();
  });
  afterAll(() => service.stop());

  it.each([
    ['get', '/', 200],
    ['get', '/v1/domains', 200],
    ['get', '/v1/domains/x', 404],
    ['get', '/nothing', 404],
    ['get', '/%', 404],
    ['patch', '/v1/domains', 405],
    ['post', '/v1/domains', 400],
    ['get', '/openapi.json', 200],
    ['get', '/docs', 200],
    ['get', '/docs/swagger-ui.css', 200],
  ] as const)('1.6 %s %s has a generated request id, and an error repeats it', async (method, path, status) => {
    const theirs = 'req-11111111-2222-4333-8444-555555555555';
    const answer = await service.plain(method, path).set('X-OpenStack-Request-ID', theirs).set('X-Request-ID', theirs);
    expectStatus(answer, status);
    const id = answer.headers['x-openstack-request-id'];
    expect(id).toMatch(REQUEST_ID);
    expect(id).not.toBe(theirs);
    if (status >= 400) expect(answer.body.request_id).toBe(id);
  });

  it('1.6 gives no two answers the same id', async () => {
    const answers = await Promise.all(Array.from({ length: 20 }, () => service.plain('get', '/')));
    expect(new Set(answers.map(({ headers }) => headers['x-openstack-request-id'])).size).toBe(20);
  });

  it.each([
    ['a list', '/v1/domains', false],
    ['a refusal', '/v1/domains/x', false],
    ['a domain', '', true],
  ])("1.8 answers %s, a tenant's data, with Cache-Control: no-store (attack case 57)", async (_, path, hasTag) => {
    const domain = await newDomain(service);
    const answer = await service.call('get', path === '' ? `/v1/domains/${domain.id}` : path);
    expect(answer.headers['cache-control']).toBe('no-store');
    expect('etag' in answer.headers).toBe(hasTag);
  });

  it('name no software', async () => {
    const answer = await service.call('get', '/v1/domains');
    expect(answer.headers).not.toHaveProperty('x-powered-by');
    expect(answer.headers).not.toHaveProperty('server');
  });

  it('ends the connection when the client asks for it', async () => {
    const answer = await sendRaw(service.url, 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');
    expect(answer).toMatchObject({ status: 200, isClosed: true });
  });
});

describe('the base of Location', () => {
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });

  const forwarded = { 'X-Forwarded-Proto': 'https', 'X-Forwarded-Host': 'dns.example.com', 'X-Forwarded-Prefix': '/x' };

  it.each<[string, Settings, Record<string, string>, string | null]>([
    ['its own address', {}, {}, null],
    ['the Host of the request', {}, { Host: 'dns.example.org:8080' }, 'http://dns.example.org:8080'],
    ['an IPv6 Host', {}, { Host: '[2001:db8::1]:9001' }, 'http://[2001:db8::1]:9001'],
    ['never what anybody forwards', {}, forwarded, null],
    ['never what another proxy forwards', { SERVICE_API__TRUSTED_PROXIES: '192.0.2.0/24' }, forwarded, null],
    [
      'what a trusted proxy forwards',
      { SERVICE_API__TRUSTED_PROXIES: '192.0.2.1,127.0.0.0/8' },
      forwarded,
      'https://dns.example.com/x',
    ],
    [
      'api_base_uri before all',
      { SERVICE_API__API_BASE_URI: 'https://dns.example.net/api/', SERVICE_API__TRUSTED_PROXIES: '127.0.0.1' },
      { ...forwarded, Host: 'dns.example.org' },
      'https://dns.example.net/api',
    ],
  ])('1.7 is %s', async (_, settings, headers, expected) => {
    service = await startTestService(settings);
    const base = expected ?? service.url;
    const body = { name: freshName(), email: 'hostmaster@example.org' };
    const created = await service.call('post', '/v1/domains', body).set(headers);
    expectStatus(created, 200);
    expect(created.headers.location).toBe(`${base}/v1/domains/${created.body.id}`);
    const versions = await service.plain('get', '/').set(headers);
    expect(versions.body.versions.values[0].links[0].href).toBe(`${base}/v1`);
    const page = await service.call('get', '/v1/domains?limit=1').set(headers);
    expect(page.body.links.self).toBe(`${base}/v1/domains?limit=1`);
  });

  it('1.7 is our own address for HTTP/1.0 without a Host', async () => {
    service = await startTestService();
    const answer = await sendRaw(service.url, 'GET / HTTP/1.0\r\n\r\n');
    expect(answer).toMatchObject({ status: 200, isClosed: true });
    expect(answer.text).toContain(`"href":"${service.url}/v1"`);
  });
});

describe('calls from web pages (attack case 94)', () => {
  let service: TestService | undefined;
  afterEach(async () => {
    await service?.stop();
    service = undefined;
  });
  const origin = 'https://dns.example.org';

  it('1.8 are refused by default: no answer carries a CORS header', async () => {
    service = await startTestService();
    const get = await service.call('get', '/v1/domains').set('Origin', origin);
    const preflight = await service
      .plain('options', '/v1/domains')
      .set({ Origin: origin, 'Access-Control-Request-Method': 'POST' });
    expectStatus(get, 200);
    expectStatus(preflight, 405);
    for (const { headers } of [get, preflight])
      expect(Object.keys(headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
  });

  it('1.8 are allowed from the configured origins only, and never with cookies', async () => {
    service = await startTestService({ SERVICE_API__CORS_ALLOWED_ORIGINS: `${origin},http://localhost:3000` });
    const ask = (from: string) =>
      service!.plain('options', '/v1/domains').set({
        Origin: from,
        'Access-Control-Request-Method': 'PUT',
        'Access-Control-Request-Headers': 'x-auth-token',
      });
    const allowed = await ask(origin);
    expectStatus(allowed, 204);
    expect(allowed.headers).toMatchObject({
      'access-control-allow-origin': origin,
      'access-control-allow-methods': expect.stringContaining('PUT'),
      'access-control-allow-headers': 'x-auth-token',
      'x-openstack-request-id': expect.stringMatching(REQUEST_ID),
    });
    expect(allowed.headers.vary).toContain('Origin');
    expect(allowed.headers).not.toHaveProperty('access-control-allow-credentials');
    expect((await ask('https://evil.example')).headers).not.toHaveProperty('access-control-allow-origin');
    const answer = await service.call('get', '/v1/domains').set('Origin', origin);
    expect(answer.headers['access-control-allow-origin']).toBe(origin);
    expect(answer.headers['access-control-expose-headers']).toBe(
      'Location,ETag,Idempotent-Replayed,X-OpenStack-Request-ID,Retry-After,RateLimit,RateLimit-Policy',
    );
  });
});
