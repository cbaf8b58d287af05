import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { administrator } from '../../src/common/caller.js';
import { answerOf, bodyOf, expectRefusal, expectStatus } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { OidcIssuer } from '../support/oidc-issuer.js';
import { ADMIN_TOKEN, type Client, type Settings, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

let issuer: OidcIssuer;
/** Tokens that the Keystone was asked about, which knows none of them. */
const askedAbout: string[] = [];
const keystone = createServer((request, response) => {
  askedAbout.push(String(request.headers['x-subject-token']));
  response.writeHead(404).end();
});
let keystoneUrl: string;
const services: TestService[] = [];
beforeAll(async () => {
  issuer = await OidcIssuer.start();
  keystone.listen(0, '127.0.0.1');
  await once(keystone, 'listening');
  keystoneUrl = `http://127.0.0.1:${(keystone.address() as AddressInfo).port}/v3`;
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await issuer.stop();
  keystone.close();
  keystone.closeAllConnections();
});

async function serviceWith(strategies: string, settings: Settings = {}): Promise<TestService> {
  const service = await startTestService({
    ...issuer.settings,
    SERVICE_API__AUTH_STRATEGY: strategies,
    AUTH__ADMIN_TOKEN: ADMIN_TOKEN,
    KEYSTONE_AUTHTOKEN__AUTH_URL: keystoneUrl,
    ...settings,
  });
  services.push(service);
  return service;
}

function tokenOf(service: TestService, tenantId: string): Promise<{ readonly token: string }> {
  const tokens = service.running.application.app.get(TokensService, { strict: false });
  const asked = { tenantId, roles: ['member'], description: null, expiresAt: null };
  return tokens.create(asked, administrator('operator', 'cli'));
}

const list = (service: TestService, token: string) => service.plain('get', '/v1/domains').set('X-Auth-Token', token);

describe.each(['token, keystone, jwt', 'keystone,jwt,token'])('14.3 auth_strategy = %s', (strategies) => {
  let service: TestService;
  beforeAll(async () => {
    service = await serviceWith(strategies);
  });

  it('14.3 validates each kind of token by its strategy, in any order', async () => {
    const { token } = await tokenOf(service, 'demo');
    const jwt = await issuer.tokenOf('demo');
    askedAbout.length = 0;
    for (const good of [token, ADMIN_TOKEN, jwt]) await answerOf(list(service, good));
    const holder: Client = {
      call: (method, path, body) =>
        service
          .plain(method, path)
          .set('X-Auth-Token', token)
          .send(body as object),
    };
    const domain = await newDomain(holder);
    await answerOf(service.plain('get', `/v1/domains/${domain.id}`).set('Authorization', `Bearer ${jwt}`));
    expect(askedAbout).toEqual([]);
  });

  it('14.3 asks no second strategy about a token that the first refuses', async () => {
    const before = issuer.asked.length;
    askedAbout.length = 0;
    const refused = [`zw_${'A'.repeat(43)}`, await issuer.sign({ aud: 'another' }), `${await issuer.sign()}x`];
    for (const token of refused) expectRefusal(await list(service, token), { status: 401, type: 'access_denied' });
    expect(askedAbout).toEqual([]);
    const fernet = `gAAAAA${'B'.repeat(170)}==`;
    const unknown = ['0123456789abcdef0123456789abcdef', fernet, 'zw_short', `${ADMIN_TOKEN}x`, 'a.b', 'a.b.c.d.e'];
    for (const token of unknown) expectRefusal(await list(service, token), { status: 401, type: 'access_denied' });
    expect(askedAbout).toEqual(unknown);
    expect(issuer.asked.length).toBeLessThanOrEqual(before + 2);
  });

  it('14.3 names the scheme of each strategy once', async () => {
    for (const path of ['/v1/domains', '/v2/zones']) {
      const answer = await fetch(`${service.url}${path}`);
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')?.split(', ').sort()).toEqual([
        'Bearer',
        `Keystone uri="${keystoneUrl}"`,
      ]);
    }
  });

  it('14.2, 14.3 creates narrower service tokens, never from issuer tokens', async () => {
    const { token } = await tokenOf(service, 'demo');
    const make = (held: string) =>
      service
        .plain('post', '/v1/tokens')
        .set('X-Auth-Token', held)
        .send({ types: ['TXT'] });
    await answerOf(make(token));
    await answerOf(make(ADMIN_TOKEN));
    // Also when an issuer token claims the id of a service token.
    const { tokens } = await bodyOf<{ tokens: { id: string }[] }>(
      service.plain('get', '/v1/tokens').set('X-Auth-Token', token),
    );
    for (const jti of [undefined, tokens[0]!.id])
      expect(await bodyOf(make(await issuer.sign({ jti })))).toMatchObject({ made_by: null, made_by_user: 'demo' });
  });

  it('14.2, 14.3 records the last use of service tokens', async () => {
    const { token } = await tokenOf(service, 'used');
    await answerOf(list(service, token));
    await until(async () => {
      const request = service.plain('get', '/v1/tokens').set('X-Auth-Token', token);
      const { tokens } = await bodyOf<{ tokens: { last_used_at: string | null }[] }>(request);
      return tokens[0]!.last_used_at !== null;
    });
  });
});

describe('14.3 two strategies', () => {
  it('14.3 leave no token that neither strategy recognizes to the other', async () => {
    const service = await serviceWith('jwt, token');
    askedAbout.length = 0;
    for (const token of ['0123456789abcdef0123456789abcdef', 'zw_short', 'x'])
      expectRefusal(await list(service, token), { status: 401, type: 'access_denied' });
    expect(askedAbout).toEqual([]);
    expect((await fetch(`${service.url}/v1/domains`)).headers.get('www-authenticate')).toBe('Bearer');
  });

  it('14.3 leave signed Keystone tokens to Keystone where no issuer is configured', async () => {
    const service = await serviceWith('token, keystone');
    askedAbout.length = 0;
    const signed = await issuer.tokenOf('demo');
    expectStatus(await list(service, signed), 401);
    expect(askedAbout).toEqual([signed]);
  });

  it('14.3 create a first admin token where one strategy accepts it', async () => {
    const service = await serviceWith('jwt, token', { AUTH__ADMIN_TOKEN: '' });
    await answerOf(list(service, service.running.firstToken!));
    const without = await serviceWith('jwt, keystone', { AUTH__ADMIN_TOKEN: '' });
    expect(without.running.firstToken).toBeNull();
  });
});
