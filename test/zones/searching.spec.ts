import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { newDomain } from '../support/domain.js';
import { type Client } from '../support/service.js';
import { startTokenService, type TokenService } from '../support/token-service.js';

interface FoundBody {
  readonly domains: readonly (DomainBody & {
    readonly record_count?: number;
    readonly publication?: string;
    readonly changed_at?: string;
    readonly tenant_id?: string;
  })[];
  readonly links: { readonly self: string; readonly next?: string };
  readonly count?: { readonly total: number; readonly total_is_exact: boolean };
}

const ACCENTED = { name: 'accents.example.', email: 'hostmaster@example.org' };
let service: TokenService;
let acme: Client;
let admin: Client;

beforeAll(async () => {
  service = await startTokenService();
  [acme, admin] = [await service.newToken(), await service.newToken({ tenantId: 'operators', roles: ['admin'] })];
  const other = await service.newToken({ tenantId: 'other' });
  await newDomain(other, 'shop.example.');
  for (const [name, records] of [
    ['shop.example.org.', 1],
    ['Example.net.', 3],
    ['a.example.com.', 2],
  ] as const) {
    const domain = await newDomain(acme, name);
    for (let at = 0; at < records; at += 1) await domain.newRecord({ data: `192.0.2.${at}` });
  }
});
afterAll(() => service.stop());

const found = (query: string, client = acme): Promise<FoundBody> =>
  bodyOf<FoundBody>(client.call('get', `/v1/domains?${query}`));
const named = async (query: string, client = acme): Promise<string[]> =>
  (await found(query, client)).domains.map(({ name }) => name);

describe('7.6 a search among domains', () => {
  it("7.6 finds text in names and emails of the tenant's domains", async () => {
    expect(await named('q=EXAMPLE')).toEqual(['shop.example.org.', 'Example.net.', 'a.example.com.']);
    expect(await named('q=shop')).toEqual(['shop.example.org.']);
    expect(await named('q=hostmaster@')).toHaveLength(3);
    expect(await named('q=nothing')).toEqual([]);
  });

  it('7.6 ignores the case of ASCII letters only', async () => {
    await answerOf(acme.call('post', '/v1/domains', { ...ACCENTED, description: 'CAFÉ İ Straße' }));
    for (const q of ['É', 'caFÉ', 'İ', 'STRAß'])
      expect(await named(`q=${encodeURIComponent(q)}`)).toEqual([ACCENTED.name]);
    for (const q of ['é', 'café', 'ß ', 'SS']) expect(await named(`q=${encodeURIComponent(q)}`)).toEqual([]);
    const { domains } = await found('name=accents.example.');
    await answerOf(acme.call('delete', `/v1/domains/${domains[0]!.id}`));
  });

  it.each([
    ['name', ['a.example.com.', 'Example.net.', 'shop.example.org.']],
    ['-name', ['shop.example.org.', 'Example.net.', 'a.example.com.']],
    ['records', ['shop.example.org.', 'a.example.com.', 'Example.net.']],
    ['-updated', ['a.example.com.', 'Example.net.', 'shop.example.org.']],
    ['-created', ['a.example.com.', 'Example.net.', 'shop.example.org.']],
  ])('7.6 is sorted by %s', async (sort, expected) => {
    expect(await named(`sort=${sort}`)).toEqual(expected);
    const pages = [await named(`sort=${sort}&limit=2`), await named(`sort=${sort}&limit=2&offset=2`)];
    expect(pages.flat()).toEqual(expected);
  });

  it('7.6 is counted and goes on by links', async () => {
    const first = await found('count=true&limit=2');
    expect(first.count).toEqual({ total: 3, total_is_exact: true });
    const next = new URL(first.links.next!);
    const last = await bodyOf<FoundBody>(acme.call('get', next.pathname + next.search));
    expect(last.domains).toHaveLength(1);
    expect(last.links).not.toHaveProperty('next');
  });

  it('7.6 shows details, and to admins the tenant', async () => {
    const [shop] = (await found('details=true&q=shop')).domains;
    expect(shop).toMatchObject({ name: 'shop.example.org.', record_count: 1, publication: 'published' });
    expect(shop).not.toHaveProperty('tenant_id');
    expect(shop!.changed_at! > shop!.created_at).toBe(true);
    expect((await found('q=shop')).domains[0]).not.toHaveProperty('record_count');
    const all = admin.call('get', '/v1/domains?q=shop&details=true&sort=name').set('X-Auth-All-Projects', 'true');
    expect((await bodyOf<FoundBody>(all)).domains.map(({ tenant_id }) => tenant_id)).toEqual(['other', 'acme']);
  });

  it('7.6 takes a name', async () => {
    expect(await named('name=EXAMPLE.net.&count=true')).toEqual(['Example.net.']);
    expect(await named('name=shop.example.&details=true')).toEqual([]);
    expect((await found('name=no%20name&count=true')).count).toEqual({ total: 0, total_is_exact: true });
  });

  it('7.6, 14.2 shows a scoped token its domains alone', async () => {
    const asked = { domains: ['example.net.'] };
    const { token } = await bodyOf<{ token: string }>(acme.call('post', '/v1/tokens', asked));
    const scoped = service.holding(token);
    expect(await named('sort=name&count=true', scoped)).toEqual(['Example.net.']);
    expect(await named('q=shop', scoped)).toEqual([]);
  });

  it.each(['q=', 'sort=email', 'offset=x', 'count=1', 'details=', 'q=a&marker=019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d'])(
    '7.6 refuses %s',
    async (query) => {
      await refusalOf(acme.call('get', `/v1/domains?${query}`), 400, 'invalid_object');
    },
  );

  it('7.6 leaves lists without a search as they are', async () => {
    await answerOf(acme.call('get', '/v1/domains?limit=2'));
    expect(await found('name=example.net.')).not.toHaveProperty('links');
  });
});
