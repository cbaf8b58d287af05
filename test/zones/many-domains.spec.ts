import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { newDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';
import { wideZoneRow } from '../support/wide-zones.js';

/** More than lists pass over at a time. */
const COUNT = 12_000;
const TENANT = 'wide';

interface FoundBody {
  readonly domains: readonly DomainBody[];
  readonly count?: { readonly total: number; readonly total_is_exact: boolean };
}

interface ZonesBody {
  readonly zones: readonly { readonly id: string; readonly name: string }[];
  readonly metadata: { readonly total_count: number };
}

let service: TestService;
let client: Client;
let names: readonly string[];
beforeAll(async () => {
  service = await startTestService();
  client = service.as(TENANT);
  await newDomain(client, 'first.example.');
  // The order of the names is not that of their creation.
  const rows = Array.from({ length: COUNT }, (_, at) => ({
    ...wideZoneRow(at, `d${String((at * 7919) % COUNT).padStart(5, '0')}`, TENANT),
    ...(at % 1000 === 7 && { type: 'SECONDARY', masters: '["192.0.2.1"]' }),
  }));
  const refused = rows
    .filter((_, at) => at % 2000 === 7)
    .map(({ id }) => ({ zone_id: id, due_at: 9e15, refused_since: 1 }));
  storeRows(
    service.databaseFile,
    { zones: rows, transfers_in: refused },
    `UPDATE tenants SET zone_count = ${COUNT + 1} WHERE id = '${TENANT}'`,
  );
  names = rows.map(({ name }) => name);
});
afterAll(() => service.stop());

const inOrder = (): string[] => [...names].sort();

describe('7.6 a search among many domains', () => {
  const found = (query: string): Promise<FoundBody> => bodyOf<FoundBody>(client.call('get', `/v1/domains?${query}`));

  it.each([0, 4999, 5000, 10_001, 11_998])('7.6 goes on by name behind %i others', async (offset) => {
    const { domains, count } = await found(`sort=name&offset=${offset}&limit=3&count=true`);
    // The canonical order has a domain before those below it, and `first` before `wide`.
    const expected = ['first.example.', ...inOrder()].slice(offset, offset + 3);
    expect(domains.map(({ name }) => name)).toEqual(expected);
    expect(count).toEqual({ total: COUNT + 1, total_is_exact: true });
  });

  it('7.6 goes on in the order of creation behind many others', async () => {
    const { domains } = await found('offset=7000&limit=2');
    expect(domains.map(({ name }) => name)).toEqual(names.slice(7000, 7002));
  });

  it.each([0, 1, 5000, 10_001, 11_998])('7.6 goes on by name from the last one on, behind %i', async (offset) => {
    const { domains, count } = await found(`sort=-name&offset=${offset}&limit=3&count=true`);
    const expected = [...inOrder().reverse(), 'first.example.'].slice(offset, offset + 3);
    expect(domains.map(({ name }) => name)).toEqual(expected);
    expect(count).toEqual({ total: COUNT + 1, total_is_exact: true });
  });

  it.each([0, 501, 7000])('7.6 goes on from the latest one on, behind %i', async (offset) => {
    const { domains } = await found(`sort=-created&offset=${offset}&limit=2`);
    const latest = ['first.example.', ...[...names].reverse()];
    expect(domains.map(({ name }) => name)).toEqual(latest.slice(offset, offset + 2));
  });

  it('7.6 finds the latest matches of a text', async () => {
    const { domains, count } = await found('sort=-created&q=77.wide&offset=1&limit=2&count=true');
    const latest = names.filter((name) => name.includes('77.wide')).reverse();
    expect(domains.map(({ name }) => name)).toEqual(latest.slice(1, 3));
    expect(count).toEqual({ total: latest.length, total_is_exact: true });
  });

  it.each(['q=WIDE', 'publication=published&q=example', 'q=example&sort=-created'])(
    '6.12 ends counting behind 10,000 and the page: %s',
    async (query) => {
      const first = await found(`${query}&limit=3&count=true`);
      expect(first).toMatchObject({
        count: { total: 10_000, total_is_exact: false },
        links: { next: expect.any(String) },
      });
      const later = await found(`${query}&limit=3&offset=11000&count=true`);
      expect(later.domains).toHaveLength(3);
      expect(later.count).toEqual({ total: 11_003, total_is_exact: false });
    },
  );

  it('7.6 finds the few failed ones', async () => {
    const expected = names.filter((_, at) => at % 2000 === 7).sort();
    const { domains, count } = await found('publication=failed&sort=-name&limit=4&count=true');
    expect(domains.map(({ name }) => name)).toEqual(expected.toReversed().slice(0, 4));
    expect(count).toEqual({ total: expected.length, total_is_exact: true });
    expect((await found('publication=failed&q=d00')).domains.map(({ name }) => name)).toEqual(
      expected.filter((name) => name.startsWith('d00')),
    );
  });

  it('6.12 counts all that it has to sort', async () => {
    const { count } = await found('q=wide&sort=name&limit=3&count=true');
    expect(count).toEqual({ total: COUNT, total_is_exact: true });
  });

  it('7.6 has nothing behind the last one', async () => {
    expect(await found(`sort=name&offset=${COUNT + 5}&limit=2&count=true`)).toMatchObject({
      domains: [],
      count: { total: COUNT + 1 },
    });
  });
});

it.each(['asc', 'desc'])('1.12 many zones are listed by name, %s, page after page', async (direction) => {
  const page = (query: string): Promise<ZonesBody> =>
    bodyOf<ZonesBody>(client.call('get', `/v2/zones?limit=4&sort_key=name&sort_dir=${direction}${query}`));
  const first = await page('');
  const last = first.zones.at(-1);
  const second = await page(`&marker=${last?.id}`);
  const sorted = [...inOrder(), 'first.example.'];
  if (direction === 'desc') sorted.reverse();
  expect([...first.zones, ...second.zones].map(({ name }) => name)).toEqual(sorted.slice(0, 8));
  expect(second.metadata).toEqual({ total_count: COUNT + 1 });
});

describe('1.12 zones whose names begin with a text', () => {
  const page = (query: string): Promise<ZonesBody> => bodyOf<ZonesBody>(client.call('get', `/v2/zones?${query}`));

  it.each([
    'd0123*',
    'D0123*',
    'd01*9.wide.*',
    'd*7777.wide.example.',
    'nothing*',
    'd\u00e9*',
    'd_*',
    'first.exampl%45.*',
  ])('are found by %s, in the order of creation, page after page', async (pattern) => {
    const form = new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 'i');
    const wanted = names.filter((name) => form.test(name));
    const filter = `limit=5&name=${encodeURIComponent(pattern)}`;
    const first = await page(filter);
    const last = first.zones.at(-1);
    const second = last === undefined ? { zones: [] } : await page(`${filter}&marker=${last.id}`);
    expect([...first.zones, ...second.zones].map(({ name }) => name)).toEqual(wanted.slice(0, 10));
    expect(first.metadata).toEqual({ total_count: wanted.length });
  });

  const isSecondary = (name: string): boolean => names.indexOf(name) % 1000 === 7;
  it.each<[string, (name: string) => boolean]>([
    ['email=HOSTMASTER@example.org', () => true],
    ['email=nobody@example.org', () => false],
    ['ttl=3600', () => true],
    ['ttl=60', () => false],
    ['type=PRIMARY', (name) => !isSecondary(name)],
    ['type=SECONDARY', isSecondary],
    ['name=d*', (name) => name.startsWith('d')],
    ['name=d0*', (name) => name.startsWith('d0')],
  ])('are found and counted with %s, in any order, page after page', async (filter, isFound) => {
    const wanted = [...names, 'first.example.'].filter(isFound);
    for (const [sort, sorted] of [
      ['', wanted],
      ['&sort_dir=desc', wanted.toReversed()],
      ['&sort_key=name', wanted.toSorted()],
      ['&sort_key=ttl&sort_dir=desc', wanted.toReversed()],
      ['&sort_key=serial&sort_dir=desc', wanted.toReversed()],
    ] as const) {
      const first = await page(`${filter}&limit=5${sort}`);
      const last = first.zones.at(-1);
      const second = last === undefined ? { zones: [] } : await page(`${filter}&limit=5${sort}&marker=${last.id}`);
      expect([...first.zones, ...second.zones].map(({ name }) => name)).toEqual(sorted.slice(0, 10));
      expect(first.metadata).toEqual({ total_count: wanted.length });
    }
  });

  it('are found in any case, after a marker that does not match', async () => {
    const upper = await newDomain(client, 'UPPER.wide.example.');
    const marker = (await page('limit=1')).zones[0]?.id;
    const { zones } = await page(`name=uPp*&marker=${marker}`);
    expect(zones.map(({ name }) => name)).toEqual([upper.name]);
    await answerOf(client.call('delete', `/v1/domains/${upper.id}`));
  });
});
