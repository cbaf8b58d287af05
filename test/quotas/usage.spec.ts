import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal, refusalOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { type Client } from '../support/service.js';
import { startTokenService, type TokenService } from '../support/token-service.js';

interface UsageBody {
  readonly tenant_id: string;
  readonly domain: object | null;
  readonly quotas: Readonly<Record<string, { readonly limit: number | null; readonly use: number | null }>>;
}

interface TenantsBody {
  readonly tenants: readonly { readonly tenant_id: string; readonly domains: number }[];
  readonly links: { readonly self: string; readonly next?: string };
}

/** Default limits. */
const LIMITS = {
  DEFAULT__QUOTA_ZONES: '10',
  DEFAULT__QUOTA_ZONE_RECORDS: '500',
  DEFAULT__QUOTA_ZONE_RECORDSETS: '500',
  DEFAULT__QUOTA_RECORDSET_RECORDS: '20',
  DEFAULT__QUOTA_API_EXPORT_SIZE: '1000',
};

let service: TokenService;
let acme: Client;
let admin: Client;
beforeAll(async () => {
  service = await startTokenService(LIMITS);
  [acme, admin] = [await service.newToken(), await service.newToken({ tenantId: 'operators', roles: ['admin'] })];
});
afterAll(() => service.stop());

const usage = (query = '', client = acme): Promise<UsageBody> =>
  bodyOf<UsageBody>(client.call('get', `/v1/usage${query}`));

describe('8.9 the use of quotas', () => {
  it('8.9 counts domains, and the records of the one that is named', async () => {
    expect((await usage()).quotas.zones).toEqual({ limit: 10, use: 0 });
    const domain = await newDomain(acme);
    await domain.newRecord({ data: '192.0.2.1' });
    await domain.newRecord({ data: '192.0.2.2' });
    const whole = await usage();
    expect(whole).toMatchObject({ tenant_id: 'acme', domain: null });
    expect(whole.quotas).toMatchObject({ zones: { limit: 10, use: 1 }, zone_records: { limit: 500, use: null } });
    const of = await usage(`?domain_id=${domain.id}`);
    expect(of.domain).toMatchObject({ id: domain.id });
    expect(of.quotas).toMatchObject({
      zone_records: { limit: 500, use: 2 },
      zone_recordsets: { limit: 500, use: 1 },
      recordset_records: { limit: 20, use: null },
      api_export_size: { limit: 1000, use: 2 },
    });
    const seen = admin.call('get', `/v1/usage?domain_id=${domain.id}`).set('X-Auth-All-Projects', 'true');
    expect(await bodyOf(seen)).toMatchObject({ tenant_id: 'acme' });
  });

  it('8.9 reveals no foreign domains', async () => {
    const domain = await newDomain(await service.newToken({ tenantId: 'other' }));
    for (const id of [domain.id, 'x', ''])
      await refusalOf(acme.call('get', `/v1/usage?domain_id=${id}`), 404, 'domain_not_found');
    expectRefusal(await service.plain('get', '/v1/usage'), { status: 401, type: 'access_denied' });
  });
});

describe('8.9 the list of tenants', () => {
  it('8.9 is for admins, page by page', async () => {
    for (const tenantId of ['beta', 'gamma']) await newDomain(await service.newToken({ tenantId }));
    await refusalOf(acme.call('get', '/v1/tenants'), 401, 'access_denied');
    const { tenants } = await bodyOf<TenantsBody>(admin.call('get', '/v1/tenants'));
    expect(tenants).toEqual(
      expect.arrayContaining([
        { tenant_id: 'beta', domains: 1 },
        { tenant_id: 'gamma', domains: 1 },
      ]),
    );
    const seen: string[] = [];
    for (let next: string | undefined = '/v1/tenants?limit=1'; next !== undefined;) {
      const page: TenantsBody = await bodyOf<TenantsBody>(admin.call('get', next));
      seen.push(...page.tenants.map(({ tenant_id }) => tenant_id));
      const { next: link } = page.links;
      next = link === undefined ? undefined : new URL(link).pathname + new URL(link).search;
    }
    expect(seen).toEqual(tenants.map(({ tenant_id }) => tenant_id));
    for (const query of ['limit=0', 'limit=1001', 'marker=a&marker=b', 'prefix=a&prefix=b', 'x=1'])
      await refusalOf(admin.call('get', `/v1/tenants?${query}`), 400, 'invalid_object');
    await answerOf(admin.call('get', '/v1/tenants?marker=zzz'));
  });

  const namesOf = async (query: string): Promise<string[]> =>
    (await bodyOf<TenantsBody>(admin.call('get', `/v1/tenants?${query}`))).tenants.map(({ tenant_id }) => tenant_id);

  it('8.9 contains tenants that have tokens only, each tenant once', async () => {
    for (let n = 0; n < 3; n += 1) await service.newToken({ tenantId: 'token-only' });
    const { tenants } = await bodyOf<TenantsBody>(admin.call('get', '/v1/tenants'));
    expect(tenants.filter(({ tenant_id }) => tenant_id === 'token-only')).toEqual([
      { tenant_id: 'token-only', domains: 0 },
    ]);
  });

  it('8.9 finds tenants by the beginning of their name, the exact name first', async () => {
    const made = ['prefix', 'prefix-a', 'prefix-\u{10ffff}', 'prefix-\uffff', 'prefi', 'Prefix', 'prefiy'];
    for (const tenantId of made) await service.newToken({ tenantId });
    await newDomain(await service.newToken({ tenantId: 'prefix-b' }));
    const found = ['prefix', 'prefix-a', 'prefix-b', 'prefix-\uffff', 'prefix-\u{10ffff}'];
    expect(await namesOf('prefix=prefix')).toEqual(found);
    expect(await namesOf('prefix=prefix&limit=1')).toEqual(['prefix']);
    expect(await namesOf('prefix=prefix&marker=prefix-a')).toEqual(found.slice(2));
    const page = await bodyOf<TenantsBody>(admin.call('get', '/v1/tenants?prefix=prefix&limit=2'));
    expect(new URL(page.links.next ?? '').searchParams.get('prefix')).toBe('prefix');
    expect(await namesOf('prefix=nobody')).toEqual([]);
    expect(await namesOf(`prefix=${'x'.repeat(2000)}`)).toEqual([]);
    for (const text of ['%00', '%ED%A0%80']) {
      const { status } = await admin.call('get', `/v1/tenants?prefix=${text}`);
      expect([200, 400]).toContain(status);
    }
  });
});
