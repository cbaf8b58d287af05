import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response, Test } from 'supertest';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { administrator } from '../../src/common/caller.js';
import { answerOf, bodyOf, expectRefusal, expectStatus, refusalOf } from '../support/answers.js';
import { type Method, type Settings } from '../support/service.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

interface SessionBody {
  readonly signed_in: boolean;
  readonly way: string | null;
  readonly csrf_token: string | null;
  readonly ends_at: string | null;
  readonly latest_end: string | null;
  readonly ways: object;
}

/** The state of a signed-in page. */
interface Page {
  readonly cookie: string;
  readonly csrfToken: string;
}

const PATH = '/console/session';
const SAME_ORIGIN = { 'Sec-Fetch-Site': 'same-origin' };

const services: TokenService[] = [];
afterAll(async () => {
  for (const service of services) await service.stop();
});
async function serviceOf(settings: Settings = {}): Promise<TokenService> {
  const service = await startTokenService(settings);
  services.push(service);
  return service;
}

/** As a browser asks for a page of the service. */
function asked(service: TokenService, method: Method, path: string, page?: Page): Test {
  const test = service.plain(method, path).set(SAME_ORIGIN);
  return page === undefined ? test : test.set('Cookie', page.cookie).set('X-CSRF-Token', page.csrfToken);
}

function cookieOf(answer: Response): string {
  const [cookie = ''] = (answer.headers['set-cookie'] ?? []) as unknown as readonly string[];
  return cookie;
}

async function signIn(service: TokenService, token: string, before?: Page): Promise<Page> {
  const answer = await answerOf(asked(service, 'post', PATH, before).send({ token }));
  const { csrf_token } = answer.body as SessionBody;
  return { cookie: cookieOf(answer).split(';')[0]!, csrfToken: csrf_token! };
}

const whoami = (service: TokenService, page: Page): Test => asked(service, 'get', '/v1/whoami', page);

describe('3.8 a session', () => {
  let service: TokenService;
  let member: TokenClient;
  let page: Page;
  beforeAll(async () => {
    service = await serviceOf();
    member = await service.newToken();
    page = await signIn(service, member.token);
  });

  it('3.8 is opened by a token, and kept in a cookie that no script reads', async () => {
    const answer = await answerOf(asked(service, 'post', PATH).send({ token: member.token }));
    expect(cookieOf(answer)).toMatch(/^zw_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax$/);
    const body = answer.body as SessionBody;
    expect(body).toMatchObject({ signed_in: true, way: 'token', ways: { token: true, keystone: false, oidc: null } });
    expect(body.latest_end! > body.ends_at!).toBe(true);
    expect(JSON.stringify(body)).not.toContain(member.token);
    const shown = { cookie: cookieOf(answer).split(';')[0]!, csrfToken: '' };
    expect(await bodyOf(asked(service, 'get', PATH, shown))).toMatchObject({ csrf_token: body.csrf_token });
  });

  it('3.8 acts for its token', async () => {
    expect(await bodyOf(whoami(service, page))).toMatchObject({ tenant_id: 'acme', token: { id: member.id } });
    const domain = { name: 'session.example.', email: 'hostmaster@example.org' };
    await answerOf(asked(service, 'post', '/v1/domains', page).send(domain));
    const made = await bodyOf<{ made_by: string }>(asked(service, 'post', '/v1/tokens', page).send({}));
    expect(made.made_by).toBe(member.id);
  });

  it('3.8 also opens for a reader, who still may only read', async () => {
    const reader = await signIn(service, (await service.newToken({ roles: ['reader'] })).token);
    await answerOf(asked(service, 'get', '/v1/domains', reader));
    await refusalOf(asked(service, 'post', '/v1/domains', reader).send({}), 401, 'access_denied');
  });

  it.each([
    ['from another site', { 'Sec-Fetch-Site': 'cross-site' }],
    ['from another host of the site', { 'Sec-Fetch-Site': 'same-site' }],
    ['from nowhere', { 'Sec-Fetch-Site': 'none' }],
    ['by who does not say from where', {}],
    ['from another origin', { Origin: 'https://elsewhere.example' }],
  ])('3.8 does not count %s', async (_, headers) => {
    const test = service.plain('get', '/v1/whoami').set('Cookie', page.cookie).set(headers);
    expectRefusal(await test, { status: 401, type: 'access_denied' });
    const sent = service.plain('post', PATH).set(headers).send({ token: member.token });
    expectRefusal(await sent, { status: 401, type: 'access_denied' });
    const shown = await bodyOf<SessionBody>(service.plain('get', PATH).set('Cookie', page.cookie).set(headers));
    expect(shown).toMatchObject({ signed_in: false, csrf_token: null });
  });

  it('3.8 counts with our own Origin where browsers send nothing newer', async () => {
    const test = service.plain('get', '/v1/whoami').set('Cookie', page.cookie).set('Origin', service.url);
    await answerOf(test);
  });

  it.each(['', 'x', 'Yw3m0Tq1vB9gkU3m7cJ2fZr5xLqPz8sD4hN6aE1oRtI'])(
    '3.8 changes nothing with the CSRF token %p',
    async (csrfToken) => {
      const forged = { ...page, csrfToken };
      await refusalOf(asked(service, 'post', '/v1/domains', forged).send({}), 401, 'access_denied');
      await refusalOf(asked(service, 'delete', PATH, forged), 401, 'access_denied');
    },
  );

  it('3.8 is ignored next to another credential', async () => {
    const other = await service.newToken({ tenantId: 'other' });
    const both = whoami(service, page).set('X-Auth-Token', other.token);
    expect(await bodyOf(both)).toMatchObject({ tenant_id: 'other' });
    const wrong = whoami(service, page).set('X-Auth-Token', 'wrong');
    expectRefusal(await wrong, { status: 401, type: 'access_denied' });
  });

  it('3.8 has another secret after each sign-in, and ends with the next one', async () => {
    const first = await signIn(service, member.token);
    const second = await signIn(service, member.token, first);
    expect(second.cookie).not.toBe(first.cookie);
    expectRefusal(await whoami(service, first), { status: 401, type: 'access_denied' });
    await answerOf(whoami(service, second));
  });

  it('3.8 ends when its holder has opened fifty newer ones', async () => {
    const { token } = await service.newToken();
    const first = await signIn(service, token);
    for (let at = 0; at < 49; at += 1) await signIn(service, token);
    await answerOf(whoami(service, first));
    await signIn(service, token);
    expectRefusal(await whoami(service, first), { status: 401, type: 'access_denied' });
    await answerOf(whoami(service, page));
  });

  it('3.8 is deleted by signing out', async () => {
    const left = await signIn(service, member.token);
    const answer = await answerOf(asked(service, 'delete', PATH, left));
    expect(answer.headers['clear-site-data']).toBe('"cookies", "storage"');
    expect(cookieOf(answer)).toContain('Max-Age=0');
    expectRefusal(await whoami(service, left), { status: 401, type: 'access_denied' });
    expect(await bodyOf(asked(service, 'get', PATH, left))).toMatchObject({ signed_in: false });
    await answerOf(asked(service, 'delete', PATH));
  });

  it('3.8 ends immediately when its token is revoked', async () => {
    const doomed = await service.newToken();
    const open = await signIn(service, doomed.token);
    const tokens = service.running.application.app.get(TokensService, { strict: false });
    await tokens.revoke(doomed.id, administrator('operator', 'cli'));
    expectRefusal(await whoami(service, open), { status: 401, type: 'access_denied' });
    expect(await bodyOf(asked(service, 'get', PATH, open))).toMatchObject({ signed_in: false, csrf_token: null });
  });

  it('3.8 does not open with an invalid credential', async () => {
    await refusalOf(asked(service, 'post', PATH).send({ token: 'wrong' }), 401, 'access_denied');
    for (const body of [{}, { username: 'alice' }, { token: member.token, username: 'a', password: 'b' }, { token: 1 }])
      await refusalOf(asked(service, 'post', PATH).send(body), 400, 'invalid_object');
    const user = { username: 'alice', password: 'secret' };
    await refusalOf(asked(service, 'post', PATH).send(user), 400, 'invalid_object');
  });

  it('3.8 is not accepted from foreign or duplicate cookies', async () => {
    for (const cookie of ['zw_session=', 'zw_session=x', `${page.cookie}; ${page.cookie}`, '; =; zw_session'])
      expectStatus(await asked(service, 'get', '/v1/whoami').set('Cookie', cookie), 401);
    await answerOf(whoami(service, { ...page, cookie: `other=1; ${page.cookie}; more=2` }));
  });
});

it('3.8 has a secure cookie behind https only', async () => {
  const service = await serviceOf({ SERVICE_API__TRUSTED_PROXIES: '127.0.0.1' });
  const { token } = await service.newToken();
  const from = (proto: string) =>
    asked(service, 'post', PATH)
      .set('X-Forwarded-Proto', proto)
      .set('X-Forwarded-Host', 'dns.example.org')
      .send({ token });
  const answer = await answerOf(from('https'));
  expect(cookieOf(answer)).toMatch(/^__Host-zw_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Lax; Secure$/);
  const page = { cookie: cookieOf(answer).split(';')[0]!, csrfToken: '' };
  await answerOf(whoami(service, page));
  await refusalOf(from('http'), 401, 'access_denied');
});

it('3.8, 14.4 counts wrong tokens as others', async () => {
  const service = await serviceOf({
    RATE_LIMITS__FAILED_CREDENTIALS_PER_ADDRESS: '2',
    RATE_LIMITS__EXEMPT: '192.0.2.1',
  });
  const { token } = await service.newToken();
  const page = await signIn(service, token);
  for (let at = 0; at < 2; at += 1)
    await refusalOf(asked(service, 'post', PATH).send({ token: 'wrong' }), 401, 'access_denied');
  await refusalOf(asked(service, 'post', PATH).send({ token }), 429, 'rate_limited');
  await answerOf(whoami(service, page));
});

it('3.8 is nowhere where the console is off', async () => {
  const service = await serviceOf({ CONSOLE__ENABLED: 'False' });
  const { token } = await service.newToken();
  expectRefusal(await asked(service, 'post', PATH).send({ token }), { status: 404, type: 'not_found' });
  expectRefusal(await asked(service, 'get', PATH), { status: 404, type: 'not_found' });
});
