import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { expectStatus } from '../support/answers.js';
import { SERVER, WITH_POWERDNS } from '../support/powerdns.js';
import { ADMIN_TOKEN, startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  const strategy = { SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN };
  service = await startTestService({ ...WITH_POWERDNS, ...strategy });
});
afterAll(() => service.stop());

const withKey = (path: string, key = ADMIN_TOKEN) => service.plain('get', path).set('X-API-Key', key);

describe("PowerDNS's API", () => {
  it('21.1 is not there unless it is switched on', async () => {
    const other = await startTestService();
    try {
      expectStatus(await other.call('get', '/api/v1/servers'), 404);
    } finally {
      await other.stop();
    }
  });

  it.each([
    '/api',
    '/api/v1',
    '/api/v1/servers',
    SERVER,
    `${SERVER}/zones`,
    `${SERVER}/config`,
    `${SERVER}/statistics`,
  ])('21.1, 21.2 answers %s with a key, and 401 without a valid one', async (path) => {
    const answer = await withKey(path);
    expectStatus(answer, 200);
    expect(answer.headers['content-type']).toBe('application/json');
    for (const refused of [await service.plain('get', path), await withKey(path, 'another')]) {
      expectStatus(refused, 401);
      expect(refused.text).toBe('{"error":"Unauthorized"}');
      expect(refused.headers['content-type']).toBe('application/json');
    }
  });

  it('21.1 rejects a key in the query, and tokens in other headers', async () => {
    expectStatus(await service.plain('get', `/api?api-key=${ADMIN_TOKEN}`), 401);
    expectStatus(await service.plain('get', '/api').set('X-Auth-Token', ADMIN_TOKEN), 401);
    // A header for a proxy in front of the service, such as basic authentication.
    expectStatus(await withKey('/api').set('Authorization', 'Basic YTpi'), 200);
  });

  it('21.1, 21.2 answers 404 and 405 in PowerDNS format, with any Accept', async () => {
    for (const path of [
      `${SERVER}/nothing`,
      '/api/v1/servers/other',
      '/api/v1/servers/other/zones',
      `${SERVER}/zones/none.`,
    ]) {
      const answer = await withKey(path).set('Accept', 'text/html');
      expectStatus(answer, 404);
      expect(answer.body).toEqual({ error: 'Not Found' });
    }
    const answer = await service.plain('patch', SERVER).set('X-API-Key', ADMIN_TOKEN).send('{}');
    expectStatus(answer, 405);
    expect(answer.body).toEqual({ error: 'Method Not Allowed' });
  });

  it('21.1 lists the methods of a path without a key, and blocks cross-origin reads', async () => {
    for (const [path, methods] of [
      [SERVER, 'GET, OPTIONS'],
      [`${SERVER}/zones`, 'GET, POST, OPTIONS'],
      [`${SERVER}/zones/none`, 'GET, PATCH, PUT, DELETE, OPTIONS'],
    ] as const) {
      const answer = await service.plain('options', path);
      expectStatus(answer, 200);
      expect(answer.headers).toMatchObject({
        allow: methods,
        'access-control-allow-headers': 'Content-Type, X-API-Key',
        'access-control-allow-methods': methods,
      });
      expect(answer.headers).not.toHaveProperty('access-control-allow-origin');
    }
    expectStatus(await service.plain('options', `${SERVER}/nothing`), 404);
    expectStatus(await service.plain('options', '/v1/domains'), 405);
  });

  it.each([
    ['empty', ''],
    ['no JSON', 'rrsets'],
    ['null', 'null'],
  ])('21.2 refuses a body that is %s with 400', async (_, body) => {
    const answer = await service.plain('post', `${SERVER}/zones`).set('X-API-Key', ADMIN_TOKEN).send(body);
    expectStatus(answer, 400);
    expect(Object.keys(answer.body as object)).toEqual(['error']);
  });

  it('21.1 presents one server with the properties that clients expect', async () => {
    const { body } = await withKey(SERVER);
    expect(body).toMatchObject({ id: 'localhost', daemon_type: 'authoritative', type: 'Server' });
    expect((body as { version: string }).version).toMatch(/^\d+\.\d+\.\d+$/);
  });

  it('21.10 answers the server requests of clients', async () => {
    const settings = (await withKey(`${SERVER}/config`)).body as { name: string; value: string }[];
    expect(settings).toContainEqual({ name: 'enable-lua-records', type: 'ConfigSetting', value: 'no' });
    const statistics = (await withKey(`${SERVER}/statistics`)).body as { name: string; value: string }[];
    expect(statistics.map(({ name }) => name)).toContain('uptime');
    for (const { value } of statistics) expect(value).toMatch(/^\d+$/);
    expectStatus(await withKey(`${SERVER}/statistics?statistic=uptime`), 200);
    expectStatus(await withKey(`${SERVER}/statistics?statistic=none`), 422);
  });
});
