import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { TokensService } from '../../src/auth/tokens/tokens.service.js';
import { administrator } from '../../src/common/caller.js';
import { answerOf, bodyOf, expectRefusal, refusalOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { OidcIssuer } from '../support/oidc-issuer.js';
import { type Client, type Settings, startTestService, type TestService } from '../support/service.js';

interface TokenBody {
  readonly id: string;
  readonly token: string;
  readonly tenant_id: string;
  readonly roles: readonly string[];
  readonly made_by: string | null;
  readonly made_by_user: string | null;
  readonly expires_at: string | null;
}

const PATH = '/v1/tokens';
const DAY_MS = 86_400_000;
const OPERATOR = administrator('operator', 'cli');

let issuer: OidcIssuer;
const services: TestService[] = [];
beforeAll(async () => {
  issuer = await OidcIssuer.start();
});
afterAll(async () => {
  for (const service of services) await service.stop();
  await issuer.stop();
});

/** The user is the client of the issuer, `sub`. */
async function serviceOf(settings: Settings = {}): Promise<TestService> {
  const both = { SERVICE_API__AUTH_STRATEGY: 'token,jwt', JWT__USER_CLAIM: 'sub' };
  const service = await startTestService({ ...issuer.settings, ...both, ...settings });
  services.push(service);
  return service;
}

const holding = (service: TestService, token: string): Client => ({
  call: (method, path, body) => {
    const test = service.plain(method, path).set('Authorization', `Bearer ${token}`);
    return body === undefined ? test : test.set('Content-Type', 'application/json').send(JSON.stringify(body));
  },
});
const tokensOf = async (client: Client): Promise<readonly TokenBody[]> =>
  (await bodyOf<{ tokens: readonly TokenBody[] }>(client.call('get', PATH))).tokens;

describe('14.2 issuer users', () => {
  let service: TestService;
  let demo: Client;
  let made: TokenBody;
  beforeAll(async () => {
    service = await serviceOf({ AUTH__USER_TOKEN_DAYS: '30' });
    demo = holding(service, await issuer.tokenOf('demo'));
    made = await bodyOf<TokenBody>(demo.call('post', PATH, { names: ['_acme-challenge.*'], types: ['TXT'] }));
  });

  it('14.2 creates an independent token, within its limits and its expiry', async () => {
    expect(made).toMatchObject({ tenant_id: 'demo', roles: ['member'], made_by: null });
    expect(made.made_by_user).not.toBeNull();
    const end = Date.parse(`${made.expires_at!}Z`);
    expect(Math.abs(end - Date.now() - 30 * DAY_MS)).toBeLessThan(DAY_MS);
    const domain = await newDomain(demo);
    const acme = holding(service, made.token);
    const create = (name: string, type: string, data: string) =>
      acme.call('post', `/v1/domains/${domain.id}/records`, { name: domain.at(name), type, data });
    await answerOf(create('_acme-challenge', 'TXT', 'x'));
    await refusalOf(create('www', 'A', '192.0.2.1'), 401, 'access_denied');
  });

  it('14.2 see the tokens that they created, and the descendants of these', async () => {
    const child = await bodyOf<TokenBody>(holding(service, made.token).call('post', PATH, {}));
    expect((await tokensOf(demo)).map(({ id }) => id)).toEqual([made.id, child.id]);
    const again = holding(service, await issuer.tokenOf('demo'));
    expect(await tokensOf(again)).toHaveLength(2);
    const other = holding(service, await issuer.tokenOf('other'));
    expect(await tokensOf(other)).toEqual([]);
    await refusalOf(other.call('delete', `${PATH}/${made.id}`), 404, 'token_not_found');
  });

  it('14.2 creates none with wider limits or a later expiry', async () => {
    await refusalOf(demo.call('post', PATH, { roles: ['admin'] }), 401, 'access_denied');
    const later = new Date(Date.now() + 31 * DAY_MS).toISOString();
    await refusalOf(demo.call('post', PATH, { expires_at: later }), 401, 'access_denied');
    const sooner = new Date(Date.now() + 29 * DAY_MS).toISOString();
    await answerOf(demo.call('post', PATH, { expires_at: sooner }));
    const reader = holding(service, await issuer.tokenOf('reader'));
    await refusalOf(reader.call('post', PATH, {}), 401, 'access_denied');
  });

  it('14.2 revoke their tokens with all descendants', async () => {
    const mine = await bodyOf<TokenBody>(demo.call('post', PATH, {}));
    const child = await bodyOf<TokenBody>(holding(service, mine.token).call('post', PATH, {}));
    await answerOf(demo.call('delete', `${PATH}/${mine.id}`));
    for (const { token } of [mine, child])
      expectRefusal(await holding(service, token).call('get', '/v1/domains'), { status: 401, type: 'access_denied' });
  });

  it('14.2, 17.2 lose all tokens when these are revoked by user name', async () => {
    const tokens = service.running.application.app.get(TokensService, { strict: false });
    const operators = await tokens.create(
      { tenantId: 'demo', roles: ['member'], description: null, expiresAt: null },
      OPERATOR,
    );
    expect(await tokens.revokeOfUser(made.made_by_user!, 'other', OPERATOR)).toBe(0);
    expect(await tokens.revokeOfUser(made.made_by_user!, null, OPERATOR)).toBeGreaterThan(0);
    expect(await tokens.revokeOfUser(made.made_by_user!, null, OPERATOR)).toBe(0);
    expectRefusal(await holding(service, made.token).call('get', '/v1/domains'), {
      status: 401,
      type: 'access_denied',
    });
    await answerOf(holding(service, operators.token).call('get', '/v1/domains'));
  });
});

describe('14.2 creates no tokens', () => {
  it.each([
    ['where the option is empty', { AUTH__USER_TOKEN_DAYS: '' }],
    ['where no strategy accepts them', { SERVICE_API__AUTH_STRATEGY: 'jwt' }],
    ['without a user', { JWT__USER_CLAIM: 'nobody' }],
  ] as const)('14.2 %s', async (_, settings) => {
    const service = await serviceOf(settings);
    const demo = holding(service, await issuer.tokenOf('demo'));
    await refusalOf(demo.call('post', PATH, {}), 401, 'access_denied');
    await refusalOf(demo.call('get', PATH), 401, 'access_denied');
  });
});
