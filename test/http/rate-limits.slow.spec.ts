import { Agent } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { expectRefusal, expectStatus } from '../support/answers.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { ADMIN_TOKEN, type Settings, startTestService, type TestService } from '../support/service.js';

/** Exempts only the test client 127.0.0.1; limited clients use other loopback addresses. */
const STRANGERS_ARE_LIMITED: Settings = { RATE_LIMITS__EXEMPT: '127.0.0.1' };
const WITH_TOKENS: Settings = { SERVICE_API__AUTH_STRATEGY: 'token', AUTH__ADMIN_TOKEN: ADMIN_TOKEN };

/** A service, and requests to it with nothing but a token. */
interface Limited {
  readonly service: TestService;
  get(path: string, from: string, token?: string | null, headers?: Record<string, string>): Promise<Response>;
}

async function limited(settings: Settings): Promise<Limited> {
  const service = await startTestService({ ...STRANGERS_ARE_LIMITED, ...WITH_TOKENS, ...settings });
  return {
    service,
    get: (path, from, token = ADMIN_TOKEN, headers = {}) => {
      const asked = service
        .plain('get', path)
        .set(headers)
        .agent(new Agent({ localAddress: from }));
      return Promise.resolve(token === null ? asked : asked.set('X-Auth-Token', token));
    },
  };
}

/** Parameters of an item in a field of draft-ietf-httpapi-ratelimit-headers. */
function itemOf(answer: Response, field: string, name: string): Record<string, number> {
  const items = (answer.headers[field.toLowerCase()] ?? '').split(', ');
  const item = items.find((text) => text.startsWith(`"${name}"`)) ?? '';
  const parameters = [...item.matchAll(/;([a-z]+)=(\d+)/g)];
  return Object.fromEntries(parameters.map(([, key, value]) => [key, Number(value)]));
}

function expectLimited(answer: Response): void {
  expectRefusal(answer, { status: 429, type: 'rate_limited', faults: [] });
  expect(Number(answer.headers['retry-after'])).toBeGreaterThanOrEqual(1);
  expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
}

async function newToken({ service }: Limited): Promise<string> {
  const answer = await service
    .plain('post', '/v1/tokens')
    .set('X-Auth-Token', ADMIN_TOKEN)
    .send({ roles: ['member'] });
  return (answer.body as { token: string }).token;
}

describe('requests of an address', () => {
  let api: Limited;
  beforeAll(async () => {
    api = await limited({ RATE_LIMITS__REQUESTS_PER_ADDRESS: '4' });
  });
  afterAll(() => api.service.stop());

  it('14.4 are refused beyond the limit on every path, while other addresses continue', async () => {
    for (const path of ['/v1/domains', '/v2/zones', '/', '/there/is/nothing'])
      expect((await api.get(path, '127.0.0.2')).status).not.toBe(429);
    for (const path of ['/v1/domains', '/v2/zones', '/', '/there/is/nothing'])
      expectLimited(await api.get(path, '127.0.0.2'));
    expectStatus(await api.get('/v1/domains', '127.0.0.3'), 200);
  });

  it('14.4 get the remaining limit in the first response of a minute and at half the limit', async () => {
    const answers = [];
    for (let count = 0; count < 5; count += 1) answers.push(await api.get('/v1/domains', '127.0.0.4'));
    for (const answer of answers) {
      expect(itemOf(answer, 'RateLimit', 'address').t).toBeLessThanOrEqual(60);
      expect(itemOf(answer, 'RateLimit', 'address').t).toBeGreaterThanOrEqual(1);
    }
    expect(answers.map((answer) => itemOf(answer, 'RateLimit', 'address').r)).toEqual([3, 2, 1, 0, 0]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 429]);
    const policy = '"address";q=4;w=60';
    const policies = answers.map(({ headers }) => headers['ratelimit-policy']);
    expect(policies).toEqual([policy, undefined, undefined, undefined, policy]);
  });

  it('14.4, 2.2 are refused as problem details too', async () => {
    const headers = { Accept: 'application/problem+json' };
    const ask = () => api.get('/v1/domains', '127.0.0.5', ADMIN_TOKEN, headers);
    let answer = await ask();
    for (let count = 0; count < 4; count += 1) answer = await ask();
    expect(answer.status).toBe(429);
    expect(answer.body).toMatchObject({ type: 'urn:zonewright:error:rate_limited', title: 'Too Many Requests' });
  });

  it('14.4 are counted without a credential, before it is asked for', async () => {
    const statuses = [];
    for (let count = 0; count < 5; count += 1) statuses.push((await api.get('/v1/domains', '127.0.0.6', null)).status);
    expect(statuses).toEqual([401, 401, 401, 401, 429]);
  });

  it('14.4 do not matter where they watch the service or read its documents, or are exempt', async () => {
    for (const path of [
      '/healthz',
      '/readyz',
      '/healthcheck',
      '/metrics',
      '/openapi.json',
      '/docs',
      '/docs/index.html',
    ])
      for (let count = 0; count < 5; count += 1) expect((await api.get(path, '127.0.0.7')).status).toBeLessThan(400);
    for (let count = 0; count < 6; count += 1) {
      const answer = await api.get('/v1/domains', '127.0.0.1');
      expectStatus(answer, 200);
      expect(answer.headers['ratelimit-policy']).toBeUndefined();
    }
  });

  it('14.4, 16.3 are counted by the limit that they reach', async () => {
    const refused = async (): Promise<number> =>
      sumOf(samplesIn((await api.get('/metrics', '127.0.0.1')).text), 'zonewright_rate_limited_total', {
        limit: 'address',
      });
    const before = await refused();
    for (let count = 0; count < 7; count += 1) await api.get('/v1/domains', '127.0.0.8');
    expect((await refused()) - before).toBe(3);
  });
});

describe('requests with a token', () => {
  let api: Limited;
  beforeAll(async () => {
    api = await limited({ RATE_LIMITS__REQUESTS_PER_TOKEN: '3', RATE_LIMITS__REQUESTS_PER_ADDRESS: '1000' });
  });
  afterAll(() => api.service.stop());

  it('14.4 are refused beyond the limit from wherever they come, and other tokens go on', async () => {
    const [one, other] = [await newToken(api), await newToken(api)];
    const answers = [];
    for (const from of ['127.0.0.2', '127.0.0.3', '127.0.0.2']) answers.push(await api.get('/v1/domains', from, one));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(answers.map((answer) => itemOf(answer, 'RateLimit', 'token').r)).toEqual([2, 1, 0]);
    // The address has used less than half of its limit, so no header is sent.
    expect(answers.map(({ headers }) => (headers.ratelimit as string).includes('"address"'))).toEqual([
      true,
      true,
      false,
    ]);
    expect(answers[0]?.headers['ratelimit-policy']).toBe('"address";q=1000;w=60, "token";q=3;w=60');
    expectLimited(await api.get('/v1/domains', '127.0.0.4', one));
    expectLimited(await api.get('/v2/zones', '127.0.0.4', one));
    expectStatus(await api.get('/v1/domains', '127.0.0.4', other), 200);
    expectStatus(await api.get('/v1/domains', '127.0.0.1', one), 200);
  });

  it('14.4 count requests refused for another reason', async () => {
    const token = await newToken(api);
    const path = '/v1/domains/11111111-2222-4333-8444-555555555555';
    const statuses = [];
    for (let count = 0; count < 4; count += 1) statuses.push((await api.get(path, '127.0.0.9', token)).status);
    expect(statuses).toEqual([404, 404, 404, 429]);
  });
});

describe('credentials that are not valid (attack case 88)', () => {
  const SETTINGS = { RATE_LIMITS__FAILED_CREDENTIALS_PER_ADDRESS: '3' };
  let api: Limited;
  beforeAll(async () => {
    api = await limited(SETTINGS);
  });
  afterAll(() => api.service.stop());

  const guess = (from: string): Promise<Response> => api.get('/v1/domains', from, 'no-such-token');

  it('14.4 keep all credentials of their address out, and valid ones between them do not help', async () => {
    for (let count = 0; count < 3; count += 1) {
      expectStatus(await guess('127.0.0.2'), 401);
      if (count < 2) expectStatus(await api.get('/v1/domains', '127.0.0.2'), 200);
    }
    expectLimited(await guess('127.0.0.2'));
    expectLimited(await api.get('/v1/domains', '127.0.0.2'));
    const bearer = { Authorization: `Bearer ${ADMIN_TOKEN}` };
    expectLimited(await api.get('/v2/zones', '127.0.0.2', null, bearer));
    expectStatus(await api.get('/v1/domains', '127.0.0.3'), 200);
  });

  it('14.4 do not count requests without a credential', async () => {
    for (let count = 0; count < 5; count += 1) expectStatus(await api.get('/v1/domains', '127.0.0.4', null), 401);
    expectStatus(await api.get('/v1/domains', '127.0.0.4'), 200);
  });

  it('14.4, 14.2 include tokens that may not be used from the address', async () => {
    const made = await api.service
      .plain('post', '/v1/tokens')
      .set('X-Auth-Token', ADMIN_TOKEN)
      .send({ roles: ['member'], networks: ['192.0.2.0/24'] });
    const { token } = made.body as { token: string };
    for (let count = 0; count < 3; count += 1) expectStatus(await api.get('/v1/domains', '127.0.0.5', token), 401);
    expectLimited(await api.get('/v1/domains', '127.0.0.5'));
  });

  it('14.4 report no unrelated limits, and other limits stay in force', async () => {
    for (let count = 0; count < 4; count += 1) await guess('127.0.0.6');
    const answer = await guess('127.0.0.6');
    expect(answer.headers['ratelimit-policy']).toBeUndefined();
    expectStatus(await api.get('/healthz', '127.0.0.6'), 200);
  });
});

describe('clients behind a proxy', () => {
  const forwardedFor = (client: string) => ({ 'X-Forwarded-For': client });

  it('14.4 are counted by their own addresses where it is trusted, and IPv6 by networks', async () => {
    const settings = {
      SERVICE_API__TRUSTED_PROXIES: '127.0.0.2',
      RATE_LIMITS__REQUESTS_PER_ADDRESS: '2',
      RATE_LIMITS__FAILED_CREDENTIALS_PER_ADDRESS: '1',
    };
    const api = await limited(settings);
    const through = (client: string, token = ADMIN_TOKEN): Promise<Response> =>
      api.get('/v1/domains', '127.0.0.2', token, forwardedFor(client));
    try {
      for (const client of ['192.0.2.1', '192.0.2.1', '192.0.2.2', '2001:db8::1', '2001:db8::2'])
        expectStatus(await through(client), 200);
      expectLimited(await through('192.0.2.1'));
      expectLimited(await through('2001:db8:0:0:ffff::3'));
      expectStatus(await through('2001:db8:0:1::1'), 200);
      expectStatus(await through('192.0.2.3', 'a-guess'), 401);
      expectLimited(await through('192.0.2.3'));
      expectStatus(await through('192.0.2.2'), 200);
      for (let count = 0; count < 4; count += 1) expectStatus(await through('127.0.0.1'), 200);
    } finally {
      await api.service.stop();
    }
  });

  it('14.4 cannot name another address where it is not trusted', async () => {
    const api = await limited({ RATE_LIMITS__REQUESTS_PER_ADDRESS: '2' });
    try {
      for (let count = 0; count < 2; count += 1)
        expectStatus(await api.get('/v1/domains', '127.0.0.2', ADMIN_TOKEN, forwardedFor(`192.0.2.${count}`)), 200);
      expectLimited(await api.get('/v1/domains', '127.0.0.2', ADMIN_TOKEN, forwardedFor('127.0.0.1')));
    } finally {
      await api.service.stop();
    }
  });
});

describe('without options', () => {
  it('14.4 nothing is limited', async () => {
    const api = await limited({ RATE_LIMITS__EXEMPT: '' });
    try {
      for (let count = 0; count < 50; count += 1) {
        const answer = await api.get('/v1/domains', '127.0.0.2', count % 2 === 0 ? ADMIN_TOKEN : 'a-guess');
        expectStatus(answer, count % 2 === 0 ? 200 : 401);
        expect(answer.headers.ratelimit).toBeUndefined();
      }
    } finally {
      await api.service.stop();
    }
  });

  it('14.4 web pages may read the fields', async () => {
    const origin = 'https://app.example.org';
    const settings = { SERVICE_API__CORS_ALLOWED_ORIGINS: origin, RATE_LIMITS__REQUESTS_PER_ADDRESS: '1' };
    const api = await limited(settings);
    try {
      const ask = () => api.get('/v1/domains', '127.0.0.2', ADMIN_TOKEN, { Origin: origin });
      const answer = await ask();
      expectStatus(answer, 200);
      expect(answer.headers['access-control-expose-headers']).toMatch(/RateLimit,RateLimit-Policy/);
      const refused = await ask();
      expectLimited(refused);
      expect(refused.headers['access-control-allow-origin']).toBe(origin);
    } finally {
      await api.service.stop();
    }
  });
});

describe('answers of 720 kB', () => {
  const RECORDS = 12;
  /** With their other fields, 12 records have between 720,896 and 786,431 octets: seven requests more. */
  const DATA = 'x'.repeat(60_000);

  it.each([
    ['address', { RATE_LIMITS__REQUESTS_PER_ADDRESS: '18' }],
    ['token', { RATE_LIMITS__REQUESTS_PER_TOKEN: '18' }],
  ])('14.4 count as more requests of their %s', async (limit, settings) => {
    const api = await limited({ ...settings, SERVICE_API__CHANGES_PER_MINUTE: '0' });
    try {
      const post = async (path: string, body: object) => {
        const answer = await api.service.plain('post', path).set('X-Auth-Token', ADMIN_TOKEN).send(body);
        expectStatus(answer, 200);
        return answer.body as { readonly id: string };
      };
      const name = 'long.example.org.';
      const { id } = await post('/v1/domains', { name, email: 'hostmaster@example.org' });
      for (let at = 0; at < RECORDS; at += 1)
        await post(`/v1/domains/${id}/records`, { name: `h${at}.${name}`, type: 'TXT', data: DATA });
      const list = () => api.get(`/v1/domains/${id}/records`, '127.0.0.5');
      expect(itemOf(await list(), 'RateLimit', limit).r).toBe(17);
      expect(itemOf(await list(), 'RateLimit', limit).r).toBe(9);
      expectStatus(await list(), 200);
      expectLimited(await api.get('/v1/domains', '127.0.0.5'));
    } finally {
      await api.service.stop();
    }
  });
});
