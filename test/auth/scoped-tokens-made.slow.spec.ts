import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { answerOf, bodyOf, expectStatus, refusalOf, TIMESTAMP, UUID } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService } from '../support/service.js';
import { executeIn } from '../support/stored.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';
import { until } from '../support/until.js';

interface TokenBody {
  readonly id: string;
  readonly token?: string;
  readonly tenant_id: string;
  readonly roles: string[];
  readonly made_by: string | null;
  readonly expires_at: string | null;
  readonly revoked_at: string | null;
  readonly last_used_at: string | null;
  readonly last_used_from: string | null;
}

const DENIED = [401, 'access_denied'] as const;
const INVALID = [400, 'invalid_object'] as const;
const YEAR: number = 365 * 24 * 3600 * 1000;
const inMilliseconds = (span: number) => new Date(Date.now() + span).toISOString();

describe('14.2 tokens of tenants', () => {
  let service: TokenService;
  let wide: TokenClient;
  let domain: TestDomain;
  beforeAll(async () => {
    service = await startTokenService();
    wide = await service.newToken();
    domain = await newDomain(wide);
  });
  afterAll(() => service.stop());

  async function madeBy(holder: TokenClient, body: object = {}): Promise<TokenClient> {
    const { id, token } = await bodyOf<TokenBody>(holder.call('post', '/v1/tokens', body));
    return service.holding(token!, id);
  }
  const listOf = async (holder: TokenClient) =>
    (await bodyOf<{ tokens: TokenBody[] }>(holder.call('get', '/v1/tokens'))).tokens;
  const idsOf = async (holder: TokenClient) => (await listOf(holder)).map(({ id }) => id);
  const revoke = (holder: TokenClient, id: string) => holder.call('delete', `/v1/tokens/${id}`);

  it('shows a new token once, with all its limits', async () => {
    const limits = { domains: [domain.name], names: ['_ACME-challenge.*'], types: ['txt'], actions: ['Create'] };
    const asked = {
      ...limits,
      networks: ['127.0.0.0/8'],
      description: 'for a test',
      expires_at: '2099-01-31T00:00:00Z',
    };
    const body = await bodyOf<TokenBody>(wide.call('post', '/v1/tokens', asked));
    const { token, ...rest } = body;
    expect(token).toMatch(/^zw_[\w-]{43}$/);
    expect(rest).toEqual({
      ...{ id: expect.stringMatching(UUID), tenant_id: 'acme', roles: ['member'], description: 'for a test' },
      ...{ domains: [domain.name], labels: null, names: ['_acme-challenge.*'], types: ['TXT'], actions: ['create'] },
      ...{
        networks: ['127.0.0.0/8'],
        made_by: wide.id,
        made_by_user: null,
        created_at: expect.stringMatching(TIMESTAMP),
      },
      ...{ expires_at: '2099-01-31T00:00:00.000000', revoked_at: null, last_used_at: null, last_used_from: null },
    });
    expect((await listOf(wide)).find(({ id }) => id === rest.id)).toEqual(rest);
    const made = service.holding(token!);
    const challenge = { name: `_acme-challenge.${domain.name}`, type: 'TXT', data: 'x' };
    const records = `/v1/domains/${domain.id}/records`;
    const { id } = await bodyOf<{ id: string }>(made.call('post', records, challenge));
    await refusalOf(made.call('delete', `${records}/${id}`), ...DENIED);
  });

  it('inherits omitted fields from the parent token', async () => {
    const restrictions = { names: ['*.dev.example.org.'], networks: ['127.0.0.0/8'] };
    const expiresAt = (Date.now() + YEAR) * 1000;
    const holder = await service.newToken({ restrictions, expiresAt, roles: ['member', 'reader'] });
    const made = await madeBy(holder, { types: ['A'] });
    const [, shown] = await listOf(holder);
    const [own] = await listOf(holder);
    expect(shown).toMatchObject({ id: made.id, ...restrictions, types: ['A'], roles: ['member', 'reader'] });
    expect(shown!.expires_at).toBe(own!.expires_at);
  });

  const HOLDER = {
    ...{ domains: ['example.org.'], names: ['*.dev.example.org.', 'web-*'], types: ['A', 'AAAA'] },
    ...{ actions: ['create'], networks: ['127.0.0.0/8', '2001:db8::/32'] },
  };

  it.each([
    { domains: ['example.net.'] },
    { domains: ['example.org.', 'example.net.'] },
    { domains: ['a.example.org.'] },
    { names: ['*'] },
    { names: ['*.example.org.'] },
    { names: ['dev.example.org.'] },
    { names: ['*dev.example.org.'] },
    { names: ['web-*', '*web-*'] },
    { types: ['TXT'] },
    { types: ['A', 'TXT'] },
    { actions: ['create', 'delete'] },
    { networks: ['127.0.0.0/7'] },
    { networks: ['0.0.0.0/0'] },
    { networks: ['::/0'] },
    { networks: ['2001:db8::/31'] },
    { networks: ['192.0.2.1'] },
    { roles: ['admin'] },
    { roles: ['reader', 'admin'] },
    { expires_at: '2099-01-31T00:00:00Z' },
  ])('14.2 (attack case 55) never makes a wider one: %j', async (asked) => {
    const holder = await service.newToken({ restrictions: HOLDER, expiresAt: (Date.now() + YEAR) * 1000 });
    await refusalOf(holder.call('post', '/v1/tokens', asked), ...DENIED);
    expect(await idsOf(holder)).toEqual([holder.id]);
  });

  it.each([
    { domains: ['EXAMPLE.org.'] },
    { names: ['a.dev.example.org.'] },
    { names: ['*.*.dev.example.org.', 'web-1.example.org.'] },
    { types: ['aaaa'] },
    { networks: ['127.0.0.1', '2001:db8:1::/48'] },
    { roles: ['reader'] },
    { roles: ['member', 'member'] },
    { expires_at: inMilliseconds(YEAR / 2) },
    {},
  ])('14.2 makes narrower ones: %j', async (asked) => {
    const holder = await service.newToken({ restrictions: HOLDER, expiresAt: (Date.now() + YEAR) * 1000 });
    await madeBy(holder, asked);
  });

  it.each([
    ['domains', ['example.org']],
    ['domains', ['*.example.org.']],
    ['domains', ['example..org.']],
    ['domains', []],
    ['domains', Array.from({ length: 101 }, (_, at) => `d${at}.example.org.`)],
    ['names', ['www.example.org']],
    ['names', ['a b.']],
    ['names', ['(.*a){30}']],
    ['names', [`${'a'.repeat(255)}.`]],
    ['names', ['..']],
    ['types', ['']],
    ['types', ['A;DROP']],
    ['actions', ['read']],
    ['networks', ['127.0.0.1/33']],
    ['networks', ['127.1']],
    ['networks', ['::ffff:127.0.0.1']],
    ['networks', ['fe80::1%eth0']],
    ['networks', ['localhost']],
    ['networks', ["' OR 1=1"]],
    ['roles', []],
    ['roles', ['Admin,member']],
    ['roles', ['Admin']],
    ['roles', ['readonly']],
    ['roles', ['reader', 'read-only']],
    ['roles', ['constructor']],
  ])('14.2 (attack cases 78, 83) refuses %s that cannot be: %j', async (field, list) => {
    const admin = await service.newToken({ roles: ['admin'] });
    const { errors } = await refusalOf(admin.call('post', '/v1/tokens', { [field]: list }), ...INVALID);
    expect(errors).toMatchObject([{ path: field }]);
  });

  it.each([
    ['a text', { types: 'TXT' }],
    ['an object', { types: { $ne: 'A' } }],
    ['a list of numbers', { types: [1] }],
    ['null', { types: null }],
    ['another field', { type: ['TXT'] }],
    ['a time that is none', { expires_at: 'tomorrow' }],
    ['a time that has passed', { expires_at: '2020-01-01T00:00:00Z' }],
    ['a prototype', '{"__proto__":{"roles":["admin"]}}'],
    ['a list instead of an object', []],
  ])('14.2 (attack cases 38, 81) refuses a body with %s', async (_, body) => {
    expectStatus(await wide.call('post', '/v1/tokens', body), 400);
  });

  it('3.3 an old token with a retired role creates tokens for members', async () => {
    const holder = await service.newToken();
    executeIn(service.databaseFile, `UPDATE tokens SET roles = 'readonly' WHERE id = '${holder.id}'`);
    for (const asked of [{}, { roles: ['member'] }, { roles: ['reader'] }]) {
      const { roles } = await bodyOf<{ roles: string[] }>(holder.call('post', '/v1/tokens', asked), 200);
      expect(roles).toEqual(asked.roles ?? ['member']);
    }
    await refusalOf(holder.call('post', '/v1/tokens', { roles: ['admin'] }), ...DENIED);
  });

  it('14.2 an admin token has no limits, and creates tokens for other tenants', async () => {
    const admin = await service.newToken({ tenantId: 'operators', roles: ['admin'] });
    await refusalOf(admin.call('post', '/v1/tokens', { roles: ['admin'], types: ['TXT'] }), ...INVALID);
    await expect(service.newToken({ roles: ['admin'], restrictions: { types: ['A'] } })).rejects.toMatchObject({
      code: 'invalid_object',
    });
    const asked = admin.call('post', '/v1/tokens', { types: ['TXT'] }).set('X-Auth-Sudo-Tenant-ID', 'customer');
    const made = await bodyOf<TokenBody>(asked);
    expect(made).toMatchObject({ tenant_id: 'customer', roles: ['member'], made_by: admin.id });
    const listed = await bodyOf<{ tokens: TokenBody[] }>(
      admin.call('get', '/v1/tokens').set('X-Auth-Sudo-Tenant-ID', 'customer'),
    );
    expect(listed.tokens.map(({ id }) => id)).toEqual([made.id]);
  });

  it('14.2 (attack case 41) lists itself and its descendants to no other token', async () => {
    const holder = await service.newToken();
    const child = await madeBy(holder, { types: ['TXT'] });
    const grandchild = await madeBy(child);
    const sibling = await madeBy(holder);
    expect(await idsOf(holder)).toEqual([holder, child, grandchild, sibling].map(({ id }) => id));
    expect(await idsOf(child)).toEqual([child.id, grandchild.id]);
    expect(await idsOf(sibling)).toEqual([sibling.id]);
    for (const stranger of [sibling, await service.newToken({ tenantId: 'other' }), await service.newToken()])
      await refusalOf(revoke(stranger, child.id), 404, 'token_not_found');
    for (const id of [randomUUID(), 'nothing', "' OR '1'='1"])
      await refusalOf(revoke(holder, encodeURIComponent(id)), 404, 'token_not_found');
    expect(JSON.stringify(await listOf(holder))).not.toContain(child.token);
  });

  it('14.2 a token ends with its parent token', async () => {
    const holder = await service.newToken();
    const child = await madeBy(holder);
    const grandchild = await madeBy(child);
    const sibling = await madeBy(holder);
    await answerOf(revoke(holder, child.id));
    for (const ended of [child, grandchild]) expectStatus(await ended.call('get', '/v1/domains'), 401);
    for (const valid of [holder, sibling]) expectStatus(await valid.call('get', '/v1/domains'), 200);
    await refusalOf(revoke(holder, grandchild.id), 404, 'token_not_found');
    const revoked = (await listOf(holder)).filter(({ revoked_at }) => revoked_at !== null);
    expect(revoked.map(({ id }) => id)).toEqual([child.id, grandchild.id]);
    await answerOf(revoke(holder, holder.id));
    expectStatus(await sibling.call('get', '/v1/domains'), 401);
  });

  it('14.2 a token that is being revoked creates no tokens', async () => {
    const holder = await service.newToken();
    const admin = await service.newToken({ roles: ['admin'] });
    const asked = Array.from({ length: 20 }, () => holder.call('post', '/v1/tokens', {}).then((answer) => answer));
    const [revoked, ...answers] = await Promise.all([revoke(admin, holder.id), ...asked]);
    expectStatus(revoked, 200);
    for (const { status, body } of answers)
      expect([
        401,
        status === 200 ? (await service.holding(body.token).call('get', '/v1/tokens')).status : 401,
      ]).toEqual([401, 401]);
  });

  it('3.3 readers create no tokens', async () => {
    const reader = await service.newToken({ roles: ['reader'] });
    await refusalOf(reader.call('post', '/v1/tokens', {}), ...DENIED);
    expect(await idsOf(reader)).toEqual([reader.id]);
    const made = await madeBy(await service.newToken(), { roles: ['reader'] });
    await refusalOf(made.call('post', '/v1/domains', {}), ...DENIED);
  });

  it('14.2 reports the last use of a token and its address', async () => {
    const holder = await service.newToken();
    const use = async () => (await listOf(holder))[0]!;
    await until(async () => (await use()).last_used_at !== null);
    const used = await use();
    expect(used).toMatchObject({ last_used_from: '127.0.0.1', last_used_at: expect.stringMatching(TIMESTAMP) });
    await listOf(holder);
    // It is not written with each request.
    expect(await use()).toEqual(used);
  });

  it('14.2 shows an admin all tokens of the tenant in the order of creation, for any number of tokens', async () => {
    const admin = await service.newToken({ tenantId: 'crowded', roles: ['admin'] });
    const COUNT = 700;
    // Many of one moment, and ids that are not in the order of creation.
    const idOf = (at: number): string => `01900000-0000-7000-8000-${String(999_999 - at).padStart(12, '0')}`;
    const rows = Array.from(
      { length: COUNT },
      (_, at) => `('${idOf(at)}', 'crowd-${at}', 'crowded', 'reader', ${1000 + Math.floor(at / 100)})`,
    );
    executeIn(
      service.databaseFile,
      `INSERT INTO tokens (id, hash, tenant_id, roles, created_at) VALUES ${rows.join(', ')}`,
    );
    const inOrder = Array.from({ length: COUNT / 100 }, (_, moment) =>
      Array.from({ length: 100 }, (__, at) => idOf(moment * 100 + at)).sort(),
    );
    expect(await idsOf(admin)).toEqual([...inOrder.flat(), admin.id]);
    const ofAll = bodyOf<{ tokens: TokenBody[] }>(admin.call('get', '/v1/tokens').set('X-Auth-All-Projects', 'true'));
    const ids = (await ofAll).tokens.map(({ id }) => id);
    expect(ids.slice(0, COUNT)).toEqual(inOrder.flat());
    expect(ids).toContain(wide.id);
    await answerOf(revoke(admin, idOf(0)));
    await refusalOf(revoke(admin, idOf(0)), 404, 'token_not_found');
  });

  it('14.2 creates at most 1,000 tokens for a tenant', async () => {
    const holder = await service.newToken({ tenantId: 'greedy' });
    for (let round = 0; round < 10; round += 1)
      await Promise.all(Array.from({ length: 100 }, () => answerOf(holder.call('post', '/v1/tokens', {}))));
    await refusalOf(holder.call('post', '/v1/tokens', {}), 413, 'over_quota');
    await answerOf((await service.newToken()).call('post', '/v1/tokens', {}));
  });
});

describe('14.2 /v1/tokens without auth_strategy token', () => {
  it('14.2 is refused', async () => {
    const service = await startTestService();
    try {
      for (const method of ['get', 'post'] as const)
        await refusalOf(service.call(method, '/v1/tokens', method === 'post' ? {} : undefined), ...DENIED);
    } finally {
      await service.stop();
    }
  });
});
