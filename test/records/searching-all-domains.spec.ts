import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTokenService, type TokenClient, type TokenService } from '../support/token-service.js';

interface FoundBody {
  readonly records: readonly (RecordBody & { readonly domain_name: string })[];
  readonly searched: number;
  readonly complete: boolean;
  readonly links: { readonly self: string; readonly next?: string };
}

describe('6.11 a search in all domains', () => {
  let service: TokenService;
  let member: TokenClient;
  let domains: TestDomain[];
  beforeAll(async () => {
    service = await startTokenService();
    member = await service.newToken();
    const other = await newDomain(await service.newToken({ tenantId: 'other' }));
    await other.newRecord({ name: other.at('secret'), data: '203.0.113.21' });
    domains = [await newDomain(member), await newDomain(member), await newDomain(member)];
    for (const domain of domains) {
      await answerOf(domain.create({ name: domain.at('web'), type: 'A', data: '203.0.113.21' }));
      await answerOf(
        domain.create({ name: domain.at('Office'), type: 'TXT', data: '"Mailbox"', description: 'of the POST, 100 %' }),
      );
    }
    await newDomain(member);
  });
  afterAll(() => service.stop());

  const search = (query: string, client = member): Promise<FoundBody> =>
    bodyOf<FoundBody>(client.call('get', `/v1/search?${query}`));
  const namesOf = ({ records }: FoundBody): string[] => records.map(({ name }) => name).sort();
  const each = (label: string): string[] => domains.map((domain) => domain.at(label)).sort();

  it.each([
    ['203.0.113.21', 'web'],
    ['OFFICE', 'Office'],
    ['mailBOX', 'Office'],
    ['post, 100 %', 'Office'],
  ])('6.11 finds text in names, data and descriptions of all domains: %s', async (q, label) => {
    const found = await search(`q=${encodeURIComponent(q)}`);
    expect(namesOf(found)).toEqual(each(label));
    expect(found).toMatchObject({ complete: true, links: { self: expect.any(String) } });
    expect(found.links.next).toBeUndefined();
    for (const { name, domain_name: domain } of found.records) expect(name.endsWith(domain)).toBe(true);
  });

  it('6.11 finds nothing of others, nor what is nowhere', async () => {
    for (const q of ['secret', '%', '_', "' OR 1=1 --"].map(encodeURIComponent))
      expect(namesOf(await search(`q=${q}`)).filter((name) => name.includes('secret'))).toEqual([]);
    expect(await search('q=nowhere')).toMatchObject({ records: [], complete: true, searched: expect.any(Number) });
  });

  it('6.11 goes on where it ended, and says that it is not complete', async () => {
    const names: string[] = [];
    let pages = 0;
    for (let path: string | undefined = '/v1/search?q=203.0.113&limit=1'; path !== undefined; pages += 1) {
      const page: FoundBody = await bodyOf<FoundBody>(member.call('get', path));
      names.push(...namesOf(page));
      expect(page.complete).toBe(page.links.next === undefined);
      const next: URL | null = page.links.next === undefined ? null : new URL(page.links.next);
      path = next === null ? undefined : next.pathname + next.search;
    }
    expect(names.sort()).toEqual(each('web'));
    expect(pages).toBe(4);
  });

  it('6.11, 14.2 is limited to the domains of a token, page by page', async () => {
    const [first, second] = domains as [TestDomain, TestDomain];
    const limited = await service.newToken({ restrictions: { domains: [second.name, first.name] } });
    const page = await search('q=web&limit=1', limited);
    expect(page.complete).toBe(false);
    const { pathname, search: query } = new URL(page.links.next ?? '');
    const rest = await bodyOf<FoundBody>(limited.call('get', pathname + query));
    expect([...namesOf(page), ...namesOf(rest)].sort()).toEqual([first.at('web'), second.at('web')].sort());
  });

  it.each([
    ['', 'q'],
    ['q=', 'q'],
    [`q=${'x'.repeat(256)}`, 'q'],
    ['q=a&limit=0', 'limit'],
    ['q=a&limit=201', 'limit'],
    ['q=a&marker=x', 'marker'],
    ['q=a&marker=00000000-0000-7000-8000-000000000000_', 'marker'],
    ['q=a&marker=~_~', 'marker'],
  ])('6.11 refuses %s', async (query, path) => {
    const refusal = await refusalOf(member.call('get', `/v1/search?${query}`), 400, 'invalid_object');
    expect(JSON.stringify(refusal)).toContain(path);
  });
});
