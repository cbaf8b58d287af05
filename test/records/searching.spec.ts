import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { ListedBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

interface FoundBody {
  readonly records: readonly ListedBody[];
  readonly links: { readonly self: string; readonly next?: string };
  readonly count?: { readonly total: number; readonly by_type: Readonly<Record<string, number>> };
}

const EXACT = { total_is_exact: true, by_type_is_exact: true };
let service: TestService;
let domain: TestDomain;

beforeAll(async () => {
  service = await startTestService();
  domain = await newDomain(service);
  const other = await newDomain(service);
  await other.newRecord({ name: other.at('mail') });
  for (const record of [
    { name: domain.at('www'), type: 'A', data: '192.0.2.10', ttl: 300 },
    { name: domain.at('a.www'), type: 'A', data: '192.0.2.2' },
    { name: domain.at('Mail'), type: 'A', data: '192.0.2.9', ttl: 60, description: 'The POST office, 100 % _ours_' },
    { name: domain.name, type: 'MX', data: domain.at('mail'), priority: 10 },
    { name: domain.at('www'), type: 'AAAA', data: '2001:db8::1', ttl: 7200, description: 'Straße É' },
    { name: domain.at('b'), type: 'TXT', data: '"Mailbox"' },
  ])
    await answerOf(domain.create(record));
  const [www] = await domain.records();
  await answerOf(domain.update(www!.id, { description: 'front' }));
});
afterAll(() => service.stop());

const search = (query: string): Test => service.call('get', `/v1/domains/${domain.id}/records?${query}`);
const found = (query: string): Promise<FoundBody> => bodyOf<FoundBody>(search(query));
/** Names relative to the domain, `@` for its own. */
const named = async (query: string): Promise<string[]> =>
  (await found(query)).records.map(({ name, type }) => {
    const label = name === domain.name ? '@' : name.slice(0, -domain.name.length - 1);
    return `${label} ${type}`;
  });

describe('6.7 a search among the records of a domain', () => {
  it.each([
    ['MAIL', ['Mail A', '@ MX', 'b TXT']],
    ['192.0.2.', ['www A', 'a.www A', 'Mail A']],
    ['post OFFICE', ['Mail A']],
    ['%', ['Mail A']],
    ['_', ['Mail A']],
    ['"mail', ['b TXT']],
    ["' OR 1=1 --", []],
    ['nothing like it', []],
    ['STRAßE É', ['www AAAA']],
    ['straße é', []],
  ])('6.7 finds text in names, data and descriptions: %s', async (q, expected) => {
    expect(await named(`q=${encodeURIComponent(q)}`)).toEqual(expected);
  });

  it.each([
    ['name', ['@ MX', 'b TXT', 'Mail A', 'www A', 'www AAAA', 'a.www A']],
    ['-name', ['a.www A', 'www AAAA', 'www A', 'Mail A', 'b TXT', '@ MX']],
    ['type', ['Mail A', 'www A', 'a.www A', 'www AAAA', '@ MX', 'b TXT']],
    ['ttl', ['a.www A', '@ MX', 'b TXT', 'Mail A', 'www A', 'www AAAA']],
    ['-created', ['b TXT', 'www AAAA', '@ MX', 'Mail A', 'a.www A', 'www A']],
    ['updated', ['a.www A', 'Mail A', '@ MX', 'www AAAA', 'b TXT', 'www A']],
  ])('6.7 is sorted by %s', async (sort, expected) => {
    expect(await named(`sort=${sort}`)).toEqual(expected);
  });

  it('6.7 sorts the numbers in names naturally by their value', async () => {
    const numbered = await newDomain(service);
    for (const label of ['host10', 'host9', 'host1', 'host010', '100', '9', 'host1a'])
      await answerOf(numbered.create({ name: numbered.at(label), type: 'A', data: '192.0.2.1' }));
    const natural = async (query: string): Promise<string[]> => {
      const path = `/v1/domains/${numbered.id}/records?sort=${query}`;
      const { records } = await bodyOf<FoundBody>(service.call('get', path));
      return records.map(({ name }) => name.slice(0, -numbered.name.length - 1));
    };
    const sorted = await natural('natural');
    expect(sorted.filter((label) => label !== 'host010')).toEqual(['9', '100', 'host1', 'host1a', 'host9', 'host10']);
    expect(await natural('-natural')).toEqual(sorted.toReversed());
    expect([...(await natural('natural&limit=3')), ...(await natural('natural&limit=9&offset=3'))]).toEqual(sorted);
  });

  it('6.7 accepts several types, and counts all matches', async () => {
    const { records, count } = await found('type=AAAA,MX&count=true');
    expect(records.map(({ type }) => type)).toEqual(['MX', 'AAAA']);
    expect(count).toEqual({ ...EXACT, total: 2, by_type: { A: 3, AAAA: 1, MX: 1, TXT: 1 } });
    expect((await found('count=true&limit=1&q=192.0.2.')).count).toEqual({ ...EXACT, total: 3, by_type: { A: 3 } });
  });

  it.each([
    ['ttl_below=300', ['Mail A']],
    ['ttl_below=301', ['www A', 'Mail A']],
    ['ttl_above=300&ttl_below=7200', ['a.www A', '@ MX', 'b TXT']],
    ['ttl_above=3600', ['www AAAA']],
    ['ttl_above=2147483647', []],
    ['ttl_above=300&q=mailbox', ['b TXT']],
    ['updated_since=2001-01-01T00:00:00Z&type=MX', ['@ MX']],
    ['updated_since=2200-01-01T00:00:00Z', []],
    ['updated_since=9999-12-31T23:59:59Z', []],
  ])('6.7 finds TTLs, also of the domain, and times: %s', async (query, expected) => {
    expect(await named(query)).toEqual(expected);
  });

  it('6.7 counts an update as a change of its time', async () => {
    const { records } = await found('sort=-updated&limit=1');
    const since = records[0]?.updated_at ?? '';
    expect(await named(`updated_since=${since}`)).toEqual(['www A']);
    expect((await found(`updated_since=${since}&count=true`)).count).toEqual({ ...EXACT, total: 1, by_type: { A: 1 } });
  });

  it('6.7 is combined with a name', async () => {
    const name = encodeURIComponent(domain.at('WWW'));
    expect((await found(`name=${name}&sort=-type&count=true`)).records.map(({ type }) => type)).toEqual(['AAAA', 'A']);
    expect((await found(`name=${name}&q=2001:db8`)).records).toHaveLength(1);
  });

  it.each(['', '&sort=name', '&sort=-name', '&sort=ttl', '&sort=-updated', '&q=.', '&type=A,AAAA,MX,TXT'])(
    '6.7 goes from page to page by links: %s',
    async (query) => {
      const whole = await found(`offset=0${query}`);
      const ids: string[] = [];
      let next: string | undefined = `${service.url}/v1/domains/${domain.id}/records?offset=0&limit=4${query}`;
      for (let pages = 0; next !== undefined; pages += 1) {
        expect(pages).toBeLessThan(2);
        const page: FoundBody = await bodyOf<FoundBody>(service.call('get', next.replace(service.url, '')));
        ids.push(...page.records.map(({ id }) => id));
        next = page.links.next;
      }
      expect(ids).toEqual(whole.records.map(({ id }) => id));
      expect(ids).toHaveLength(6);
    },
  );

  it('6.7 behind its end is empty', async () => {
    expect(await found('offset=6&count=true')).toMatchObject({ records: [], count: { total: 6 } });
    expect((await found('offset=100000&sort=-ttl')).records).toEqual([]);
    expect((await found('offset=5&limit=1')).links).not.toHaveProperty('next');
  });

  it('6.7, 4.7 shows fields', async () => {
    const { records } = await found('q=2001:db8&fields=true');
    expect(records).toMatchObject([{ fields: { address: '2001:db8::1' }, version: 1 }]);
  });

  it.each([
    'q=',
    `q=${'x'.repeat(256)}`,
    'sort=data',
    'sort=',
    'sort=-',
    'sort=__proto__',
    'offset=-1',
    'offset=1.5',
    'offset=200001',
    'count=yes',
    'ttl_above=-1',
    'ttl_above=2147483648',
    'ttl_below=0',
    'ttl_below=5m',
    'updated_since=yesterday',
    'updated_since=',
    'type=A,',
    'type=A,NONE',
    'type=,',
    'q=a&marker=019aa5f4-9c1e-7b3a-8000-3f0c1f1a2b4d',
    'sort=name&limit=0',
    'q=a&q=b',
  ])('6.7, 6.4 refuses %s', async (query) => {
    await refusalOf(search(query), 400, 'invalid_object');
  });

  it('6.7, 3.2 is limited to callers who may see the domain', async () => {
    const stranger = service.as('stranger').call('get', `/v1/domains/${domain.id}/records?q=a`);
    await refusalOf(stranger, 404, 'domain_not_found');
  });
});

it('6.12 limits the counts of a list of many records', async () => {
  const many = await newDomain(service);
  const hosts = Array.from({ length: 10_600 }, (_, at) => `h${at} A 192.0.2.1\n`).join('');
  await many.import(`${hosts}@ MX 10 h1\n`);
  const counted = async (query: string): Promise<FoundBody['count']> =>
    (await bodyOf<FoundBody>(service.call('get', `/v1/domains/${many.id}/records?limit=2&count=true&${query}`))).count;
  const all = await counted('sort=created');
  expect(all).toMatchObject({ total: 10_601, total_is_exact: true, by_type_is_exact: false });
  expect(all?.by_type.A).toBeGreaterThanOrEqual(10_000);
  expect(await counted('q=192.0.2.')).toMatchObject({ total: 10_000, total_is_exact: false, by_type_is_exact: false });
  expect(await counted('type=A')).toMatchObject({ total: 10_000, total_is_exact: false });
  const byType = { A: 10_600, MX: 1 };
  expect(await counted('type=MX')).toEqual({ ...EXACT, total: 1, by_type: byType });
  expect(await counted('sort=ttl')).toEqual({ ...EXACT, total: 10_601, by_type: byType });
});
