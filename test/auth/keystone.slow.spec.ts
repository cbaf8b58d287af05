import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect } from '@jest/globals';
import type { Response } from 'supertest';
import { expectRefusal, expectStatus } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { freshName } from '../support/domain.js';
import { samplesIn, sumOf } from '../support/metrics.js';
import { OidcIssuer } from '../support/oidc-issuer.js';
import { KeystoneAdmin } from '../support/openstack/keystone-admin.js';
import { PASSWORD, PEOPLE } from '../support/openstack/keystone-people.js';
import { KEYSTONE, Keystone } from '../support/openstack/keystone.js';
import { isInstalled, itWith } from '../support/run-program.js';
import { ADMIN_TOKEN, type Method, type Settings, startTestService, type TestService } from '../support/service.js';
import { PROBES } from '../support/v2-probe.js';

const itWithKeystone = itWith(KEYSTONE);
/** It takes seconds to start, and longer while other tests run. */
const SLOW = 180_000;
const PROBE = '/v2/probes/1d5e5d1a-93a6-4a64-8a4a-6c0f29b6b0b1';
const CACHE: Settings = { KEYSTONE_AUTHTOKEN__TOKEN_CACHE_TIME: '300' };
const NO_CACHE: Settings = { KEYSTONE_AUTHTOKEN__TOKEN_CACHE_TIME: '-1' };
/** In seconds. */
const LIFETIME = 6;

describe('14.1 auth_strategy keystone', () => {
  let directory: string;
  let keystone: Keystone;
  let admin: KeystoneAdmin;
  const services: TestService[] = [];
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'zonewright-keystone-'));
    if (!isInstalled(KEYSTONE)) return;
    keystone = await Keystone.start({ directory: join(directory, 'keystone') });
    admin = await KeystoneAdmin.of(keystone);
  }, SLOW);
  afterAll(async () => {
    for (const service of services) await service.stop();
    if (isInstalled(KEYSTONE)) await keystone.stop();
    await rm(directory, { recursive: true, force: true });
  }, SLOW);

  /** A service that asks Keystone as its own user, unless the test says otherwise. */
  async function serviceWith(settings: Settings = {}, { url = keystone.url } = {}): Promise<TestService> {
    const asked = { ...keystone.settings, KEYSTONE_AUTHTOKEN__AUTH_URL: url, ...settings };
    const service = await startTestService(asked, undefined, [PROBES]);
    services.push(service);
    return service;
  }

  /** One whose tokens ask about themselves. */
  const withoutUser = (settings: Settings) =>
    serviceWith({ KEYSTONE_AUTHTOKEN__USERNAME: '', KEYSTONE_AUTHTOKEN__PASSWORD: '', ...settings });

  const WAYS_TO_ASK: readonly [who: string, start: (settings: Settings) => Promise<TestService>][] = [
    ['as a user of the service', serviceWith],
    ['as the token itself', withoutUser],
  ];

  const ask = (service: TestService, token: string, method: Method = 'get', path = '/v1/domains', body?: object) =>
    service.plain(method, path).set('X-Auth-Token', token).send(body);
  const expectAccepted = async (service: TestService, token: string) => expectStatus(await ask(service, token), 200);

  /** 401 in both versions, each with its body, and with the way to Keystone. */
  async function expectUnknown(service: TestService, token: string): Promise<void> {
    const v1 = await ask(service, token);
    expectRefusal(v1, { status: 401, type: 'access_denied' });
    const v2 = await ask(service, token, 'get', PROBE);
    expectStatus(v2, 401);
    expect(v2.body).toMatchObject({ code: 401, error: { code: 401, title: 'Unauthorized' } });
    for (const { headers } of [v1, v2]) expect(headers['www-authenticate']).toBe(`Keystone uri="${keystone.url}"`);
  }

  function expectUnavailable(answer: Response): void {
    expectRefusal(answer, { status: 503, type: 'unavailable' });
    expect(answer.headers['retry-after']).toBe('2');
  }

  itWithKeystone(
    '3.8 signs people in by name and password, and keeps no more than their token',
    async () => {
      const service = await serviceWith();
      const signIn = (body: object) =>
        service.plain('post', '/console/session').set('Sec-Fetch-Site', 'same-origin').send(body);
      const demo = { username: 'demo', password: PASSWORD };
      const answer = await signIn({ ...demo, project: PEOPLE.demo.project });
      expectStatus(answer, 200);
      expect(answer.body).toMatchObject({ signed_in: true, way: 'keystone', ways: { keystone: true } });
      const [cookie = ''] = answer.headers['set-cookie'] as unknown as readonly string[];
      const asked = service.plain('get', '/v1/whoami').set('Sec-Fetch-Site', 'same-origin');
      const whoami = await asked.set('Cookie', cookie.split(';')[0]!);
      expect(whoami.body).toMatchObject({ user: 'demo' });
      for (const wrong of [
        { ...demo, password: 'wrong', project: PEOPLE.demo.project },
        { ...demo, username: 'nobody' },
        { ...demo, project: 'nowhere' },
        { ...demo, project: PEOPLE.demo.project, user_domain: 'nowhere' },
      ])
        expectRefusal(await signIn(wrong), { status: 401, type: 'access_denied' });
    },
    SLOW,
  );

  for (const [who, start] of WAYS_TO_ASK)
    describe(`with Keystone asked ${who}`, () => {
      let service: TestService;
      beforeAll(async () => {
        if (isInstalled(KEYSTONE)) service = await start(CACHE);
      });

      itWithKeystone('14.1 takes the project of a token for the tenant', async () => {
        const [demo, other] = [await keystone.tokenOf('demo'), await keystone.tokenOf('other')];
        const answer = await ask(service, demo, 'post', '/v1/domains', { name: freshName(), email: 'a@example.org' });
        expectStatus(answer, 200);
        const { id } = answer.body as DomainBody;
        expectStatus(await ask(service, demo, 'get', `/v1/domains/${id}`), 200);
        expectStatus(await ask(service, other, 'get', `/v1/domains/${id}`), 404);
        const asAdmin = ask(service, await keystone.tokenOf('admin'), 'get', `/v1/domains/${id}`);
        expectStatus(await asAdmin.set('X-Auth-Sudo-Tenant-ID', keystone.projectOf('demo')), 200);
        const shown = await ask(service, demo, 'get', PROBE);
        expect(shown.body).toMatchObject({
          caller: { tenantId: keystone.projectOf('demo'), user: 'demo', tokenId: expect.stringMatching(/^[\w-]{22}$/) },
        });
      });

      itWithKeystone('14.1 takes it in Authorization: Bearer as well', async () => {
        const token = await keystone.tokenOf('demo');
        expectStatus(await service.plain('get', '/v1/domains').set('Authorization', `Bearer ${token}`), 200);
      });

      itWithKeystone('14.1 takes the roles of a token for the roles', async () => {
        const reader = await keystone.tokenOf('reader');
        expectStatus(await ask(service, reader, 'get', PROBE), 200);
        expectStatus(await ask(service, reader, 'delete', PROBE), 403);
        expectStatus(await ask(service, reader, 'post', '/v1/domains', {}), 401);
        const member = await keystone.tokenOf('demo');
        expectStatus(await ask(service, member, 'delete', PROBE), 200);
        expectStatus(await ask(service, member, 'get', '/v2/probes/secret'), 403);
        expectStatus(await ask(service, await keystone.tokenOf('admin'), 'get', '/v2/probes/secret'), 200);
      });

      itWithKeystone('14.1 rejects invalid tokens', async () => {
        const token = await keystone.tokenOf('demo');
        for (const wrong of ['', 'x', `${token}x`, token.slice(1), 'x'.repeat(9000), `${token},${token}`, '\x80\xff'])
          await expectUnknown(service, wrong);
        const twice = service.plain('get', '/v1/domains').set('Authorization', `Bearer ${token}`);
        expectStatus(await twice.set('X-Auth-Token', token), 401);
        const missing = await service.plain('get', '/v1/domains');
        expect(missing.headers['www-authenticate']).toBe(`Keystone uri="${keystone.url}"`);
      });

      itWithKeystone('14.1 refuses a token that is for no project, as not permitted', async () => {
        const token = await admin.unscopedTokenOf('demo');
        expectStatus(await ask(service, token), 401);
        const answer = await ask(service, token, 'get', PROBE);
        expectStatus(answer, 403);
        expect(answer.body).toMatchObject({ type: 'forbidden' });
      });

      itWithKeystone('14.1 rejects the admin of a Keystone domain, who is not a cloud admin', async () => {
        const token = await admin.adminTokenFor('domain');
        expectStatus(await ask(service, token).set('X-Auth-All-Projects', 'true'), 401);
        for (const path of [PROBE, '/v2/probes/secret']) expectStatus(await ask(service, token, 'get', path), 403);
      });

      itWithKeystone('14.1 takes the admin of the system for one without a project', async () => {
        const demo = await keystone.tokenOf('demo');
        const name = freshName();
        const made = await ask(service, demo, 'post', '/v1/domains', { name, email: 'a@example.org' });
        const { id } = made.body as DomainBody;
        const token = await admin.adminTokenFor('system');
        expectStatus(await ask(service, token, 'get', '/v2/probes/secret'), 200);
        for (const path of ['/v2/zones', `/v2/zones/${id}`]) {
          expectStatus(await ask(service, token, 'get', path), 403);
          expectStatus(await ask(service, token, 'get', path).set('X-Auth-All-Projects', 'true'), 200);
        }
        const own = { name: freshName(), email: 'a@example.org' };
        const create = () => ask(service, token, 'post', '/v2/zones', own);
        expectStatus(await create(), 403);
        expectStatus(await create().set('X-Auth-All-Projects', 'true'), 403);
        expectStatus(await create().set('X-Auth-Sudo-Project-ID', keystone.projectOf('demo')), 202);
      });

      itWithKeystone('14.1 refuses a token that was revoked', async () => {
        const token = await keystone.tokenOf('demo');
        await keystone.revoke(token);
        await expectUnknown(service, token);
      });

      itWithKeystone('14.1 takes one token in many requests at the same time', async () => {
        const token = await keystone.tokenOf('demo');
        const answers = await Promise.all(Array.from({ length: 40 }, () => ask(service, token)));
        for (const answer of answers) expectStatus(answer, 200);
      });
    });

  itWithKeystone(
    '14.1 caches a validation for token_cache_time seconds at most',
    async () => {
      const seconds = 3;
      const [remembering, asking] = [
        await serviceWith({ KEYSTONE_AUTHTOKEN__TOKEN_CACHE_TIME: String(seconds) }),
        await serviceWith(NO_CACHE),
      ];
      const token = await keystone.tokenOf('demo');
      for (const service of [remembering, asking]) await expectAccepted(service, token);
      const since = performance.now();
      await keystone.revoke(token);
      await expectUnknown(asking, token);
      if (performance.now() - since < seconds * 1000) await expectAccepted(remembering, token);
      await delay(seconds * 1000);
      await expectUnknown(remembering, token);
    },
    SLOW,
  );

  itWithKeystone(
    '14.1 answers 503 while Keystone does not, and by itself again when it does',
    async () => {
      const [remembering, asking] = [await serviceWith(CACHE), await serviceWith(NO_CACHE)];
      const [known, unknown] = [await keystone.tokenOf('demo'), await keystone.tokenOf('demo')];
      for (const service of [remembering, asking]) await expectAccepted(service, known);
      await keystone.stop('SIGKILL');
      try {
        await expectAccepted(remembering, known);
        expectUnavailable(await ask(remembering, unknown));
        expectUnavailable(await ask(asking, known));
        expectStatus(await ask(asking, known, 'get', PROBE), 503);
        expectStatus(await asking.plain('get', '/v1/domains'), 401);
      } finally {
        await keystone.restart();
      }
      for (const service of [remembering, asking]) {
        await expectAccepted(service, known);
        await expectAccepted(service, unknown);
      }
    },
    SLOW,
  );

  itWithKeystone(
    "14.1 signs in again when the service user's token was revoked early",
    async () => {
      const service = await serviceWith(NO_CACHE);
      const token = await keystone.tokenOf('demo');
      await expectAccepted(service, token);
      await admin.revokeTokensOf('zonewright');
      // Keystone also revokes tokens issued within the same second.
      await delay(1100);
      await expectAccepted(service, token);
    },
    SLOW,
  );

  itWithKeystone('14.1 is 503, not 401, where Keystone does not know the user of the service', async () => {
    const service = await serviceWith({ KEYSTONE_AUTHTOKEN__PASSWORD: 'another password' });
    expectUnavailable(await ask(service, await keystone.tokenOf('demo')));
  });

  itWithKeystone('14.1 is 503 where the user of the service may not ask about others', async () => {
    const settings = { KEYSTONE_AUTHTOKEN__USERNAME: 'other', KEYSTONE_AUTHTOKEN__PROJECT_NAME: 'other' };
    const service = await serviceWith(settings);
    expectUnavailable(await ask(service, await keystone.tokenOf('demo')));
  });

  itWithKeystone('14.1, 16.3 shows how long Keystone took', async () => {
    const service = await serviceWith(NO_CACHE);
    const token = await keystone.tokenOf('admin');
    const countOf = async (request: string) => {
      const page = await ask(service, token, 'get', '/metrics');
      expectStatus(page, 200);
      const name = 'zonewright_identity_provider_duration_seconds_count';
      return sumOf(samplesIn(page.text), name, { provider: 'keystone', request, result: 'answered' });
    };
    const before = await countOf('token');
    await expectAccepted(service, token);
    expect(await countOf('token')).toBe(before + 2);
    expect(await countOf('login')).toBeGreaterThan(0);
  });

  itWithKeystone('14.1, 14.3 accepts Keystone tokens, service tokens and issuer tokens together', async () => {
    const issuer = await OidcIssuer.start();
    try {
      const service = await serviceWith({
        ...issuer.settings,
        SERVICE_API__AUTH_STRATEGY: 'token, keystone, jwt',
        AUTH__ADMIN_TOKEN: ADMIN_TOKEN,
      });
      for (const token of [await keystone.tokenOf('demo'), ADMIN_TOKEN, await issuer.tokenOf('demo')])
        await expectAccepted(service, token);
    } finally {
      await issuer.stop();
    }
  });

  itWithKeystone('14.1 finds Keystone by its root as well, and names it to clients', async () => {
    const root = keystone.url.replace(/\/v3$/, '');
    const service = await serviceWith({ KEYSTONE_AUTHTOKEN__WWW_AUTHENTICATE_URI: '' }, { url: root });
    await expectAccepted(service, await keystone.tokenOf('demo'));
    const { headers } = await service.plain('get', '/v1/domains');
    expect(headers['www-authenticate']).toBe(`Keystone uri="${root}"`);
  });

  itWithKeystone('14.1 accepts the configured admin and reader roles', async () => {
    const service = await serviceWith({
      KEYSTONE_AUTHTOKEN__ADMIN_ROLES: 'Member, other-admin',
      KEYSTONE_AUTHTOKEN__READER_ROLES: '',
    });
    expectStatus(await ask(service, await keystone.tokenOf('demo'), 'get', '/v2/probes/secret'), 200);
    expectStatus(await ask(service, await keystone.tokenOf('reader'), 'delete', PROBE), 200);
  });
});

describe('14.1 a token that expires', () => {
  itWithKeystone(
    '14.1 is refused from then on, also where its verdict was to be remembered for longer',
    async () => {
      const directory = await mkdtemp(join(tmpdir(), 'zonewright-keystone-'));
      const keystone = await Keystone.start({ directory: join(directory, 'keystone'), tokenLifetime: LIFETIME });
      const service = await startTestService({ ...keystone.settings, ...CACHE });
      try {
        const token = await keystone.tokenOf('demo');
        const list = () => service.plain('get', '/v1/domains').set('X-Auth-Token', token);
        const issued = performance.now();
        const answer = await list();
        if (performance.now() - issued < LIFETIME * 1000 - 1000) expectStatus(answer, 200);
        await delay(LIFETIME * 1000);
        expectStatus(await list(), 401);
      } finally {
        await service.stop();
        await keystone.stop();
        await rm(directory, { recursive: true, force: true });
      }
    },
    SLOW,
  );
});
