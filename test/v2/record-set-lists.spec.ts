import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type RecordSetBody, type RecordSetList, RecordSets } from '../support/record-sets.js';
import { startTestService, type TestService } from '../support/service.js';
import { v2RefusalOf } from '../support/v2.js';

let service: TestService;
let zone: TestDomain;
let other: TestDomain;
let sets: RecordSets;
/** In the order of their creation. */
let made: RecordSetBody[];

beforeAll(async () => {
  service = await startTestService({ SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.,ns2.provider.example.' });
  zone = await newDomain(service);
  other = await newDomain(service);
  sets = new RecordSets(service, zone);
  made = [];
  for (const fields of [
    { name: sets.at('www'), type: 'A', records: ['192.0.2.1', '192.0.2.2'], ttl: 300 },
    { name: sets.at('www'), type: 'AAAA', records: ['2001:db8::1'], ttl: 60, description: 'Six 100%' },
    { name: sets.at('_acme'), type: 'TXT', records: ['"Key"', '"Other"'] },
    { name: sets.at('*'), type: 'MX', records: ['10 Mail.example.org.', '20 other.example.org.'] },
    { name: sets.at('empty'), type: 'A', records: [], ttl: 60, description: 'none' },
    { name: sets.at('Zulu'), type: 'A', records: ['192.0.2.1'], description: 'six' },
  ])
    made.push(await sets.make(fields));
  await new RecordSets(service, other).make({ name: other.at('www') });
  await newDomain(service.as('tenant-b'));
});
afterAll(() => service.stop());

const typesOf = ({ recordsets }: RecordSetList): string[] =>
  recordsets.map(({ name, type }) => `${name === zone.name ? '@' : name.replace(`.${zone.name}`, '')} ${type}`);
const ALL = ['@ SOA', '@ NS', 'www A', 'www AAAA', '_acme TXT', '* MX', 'empty A', 'Zulu A'];

describe('the list of a zone', () => {
  it('13.2 has all sets in the order of their creation, with their number', async () => {
    const list = await sets.list();
    expect(typesOf(list)).toEqual(ALL);
    expect(list).toMatchObject({
      links: { self: `${service.url}${sets.path}` },
      metadata: { total_count: ALL.length },
    });
    expect(list.links).not.toHaveProperty('next');
    for (const set of list.recordsets) expect(await sets.now(set)).toEqual(set);
    const hidden = await bodyOf(sets.fetchList().set('OpenStack-DNS-Hide-Counts', 'true'));
    expect(hidden).not.toHaveProperty('metadata');
  });

  it.each([1, 2, 3, 4, 7, 8])('13.2 pages of %i lead to the same', async (limit) => {
    for (const order of ['', '&sort_key=name', '&sort_key=ttl&sort_dir=desc', '&sort_key=updated_at', '&sort_key=id']) {
      const whole = await sets.list(`?limit=1000${order}`);
      let next: string | undefined = `${sets.path}?limit=${String(limit)}${order}`;
      const found: RecordSetBody[] = [];
      let pages = 0;
      while (next !== undefined) {
        const page: RecordSetList = await bodyOf(service.call('get', next));
        expect(page.metadata).toEqual({ total_count: ALL.length });
        found.push(...page.recordsets);
        next = page.links.next?.replace(service.url, '');
        pages += 1;
      }
      expect(found).toEqual(whole.recordsets);
      expect(pages).toBe(Math.ceil(ALL.length / limit));
    }
  });

  it.each([
    ['name=WWW.{zone}', ['www A', 'www AAAA']],
    ['name=w*', ['www A', 'www AAAA']],
    ['name=_acme.*', ['_acme TXT']],
    ['name=%25acme.{zone}', []],
    ['name=www.{zone}&type=AAAA', ['www AAAA']],
    ['name=www.{zone}.', []],
    ['name=www', []],
    ['type=a', ['www A', 'empty A', 'Zulu A']],
    ['type=*A*', ['@ SOA', 'www A', 'www AAAA', 'empty A', 'Zulu A']],
    ['ttl=60', ['www AAAA', 'empty A']],
    ['ttl=abc', []],
    ['ttl=6*', ['www AAAA', 'empty A']],
    ['status=active', ALL],
    ['status=ERROR', []],
    ['description=SIX*', ['www AAAA', 'Zulu A']],
    ['description=six 100%25', ['www AAAA']],
    ['description=none', ['empty A']],
    ['data=192.0.2.1', ['www A', 'Zulu A']],
    ['data="key"', ['_acme TXT']],
    ['data=Key', []],
    ['data=10 mail.example.org.', ['* MX']],
    ['data=10*', ['* MX']],
    ['data=*provider.example.', ['@ NS']],
    ['data=*provider*', ['@ SOA', '@ NS']],
    ['name=_acme.{zone}&type=TXT&data="key"', ['_acme TXT']],
    ['name=nowhere.{zone}', []],
    ['name=%5C', []],
    ['data=%00', []],
  ])('13.2 the filter %s finds %j', async (query, expected) => {
    const list = await sets.list(`?${query.replace('{zone}', zone.name).replaceAll(' ', '%20')}`);
    expect(typesOf(list)).toEqual(expected);
    expect(list.metadata).toEqual({ total_count: expected.length });
    for (const set of list.recordsets) expect(await sets.now(set)).toEqual(set);
  });

  it('13.2 sorts by the displayed value, in both directions', async () => {
    const names = (await sets.list('?sort_key=name')).recordsets.map(({ name }) => name.toLowerCase());
    expect(names).toEqual([...names].sort());
    const created = typesOf(await sets.list('?sort_key=created_at&sort_dir=desc'));
    expect(created).toEqual([...ALL].reverse());
    const byTtl = (await sets.list('?sort_key=ttl&sort_dir=desc')).recordsets.map(({ ttl }) => ttl);
    expect(byTtl).toEqual([300, 60, 60, null, null, null, null, null]);
  });

  it.each([
    ['limit=0', 'invalid_limit'],
    ['limit=x', 'invalid_limit'],
    ['marker=x', 'invalid_marker'],
    ['marker=00000000-0000-4000-8000-000000000000', 'marker_not_found'],
    ['marker=00000000-0000-4000-8000-000000000000&sort_key=name', 'marker_not_found'],
    ['sort_key=records', 'invalid_sort_key'],
    ['sort_dir=up', 'invalid_sort_dir'],
    ['id=x', 'bad_request'],
    ['name=a&name=b', 'bad_request'],
    ['zone_id=x', 'bad_request'],
  ])('6.4 the query %s is 400 %s', async (query, type) => {
    await v2RefusalOf(sets.fetchList(`?${query}`), 400, type);
  });

  it('13.2 ends a page where it would be too long, and goes on behind', async () => {
    const owner = service.as('tenant-long');
    const long = new RecordSets(owner, await newDomain(owner));
    const text = `"${'x'.repeat(255)}"`;
    const records = Array.from({ length: 16 }, (_, at) =>
      Array<string>(14)
        .fill(text)
        .concat(`"${String(at)}"`)
        .join(' '),
    );
    for (let at = 0; at < 8; at += 1) await long.make({ name: long.at(`t${String(at)}`), type: 'TXT', records });
    for (const order of ['', '&sort_key=name']) {
      const first = await long.list(`?limit=1000${order}`);
      expect(first.recordsets.length).toBeLessThan(10);
      const rest = await bodyOf<RecordSetList>(owner.call('get', first.links.next!.replace(service.url, '')));
      expect(first.recordsets.length + rest.recordsets.length).toBe(10);
      expect(rest.links).not.toHaveProperty('next');
      for (const set of [...first.recordsets, ...rest.recordsets].filter(({ type }) => type === 'TXT'))
        expect(set.records).toEqual(records);
    }
  });
});

describe('the list of all zones', () => {
  const listAll = (query = ''): Promise<RecordSetList> => bodyOf(service.call('get', `/v2/recordsets${query}`));

  it('13.2 has the sets of all zones of the project, or of all projects', async () => {
    const own = await listAll('?limit=1000');
    const inZone = own.recordsets.filter(({ zone_id: id }) => id === zone.id);
    expect(typesOf({ ...own, recordsets: inZone }).sort()).toEqual([...ALL].sort());
    expect(own.metadata!.total_count).toBe(own.recordsets.length);
    expect(own.recordsets.every(({ project_id: project }) => project === 'tenant-a')).toBe(true);
    for (const set of inZone) expect(await sets.now(set)).toEqual(set);
    const all = await listAll('?limit=1000&all_projects=true');
    expect(new Set(all.recordsets.map(({ project_id: project }) => project))).toEqual(
      new Set(['tenant-a', 'tenant-b', 'tenant-long']),
    );
    expect(made.every(({ id }) => own.recordsets.some((set) => set.id === id))).toBe(true);
  });

  it('13.2 pages, filters and sorts', async () => {
    const whole = (await listAll('?limit=1000')).recordsets;
    let next: string | undefined = '/v2/recordsets?limit=3';
    const found: RecordSetBody[] = [];
    while (next !== undefined) {
      const page: RecordSetList = await bodyOf(service.call('get', next));
      found.push(...page.recordsets);
      next = page.links.next?.replace(service.url, '');
    }
    expect(found).toEqual(whole);
    const named = await listAll(`?name=www.${other.name}&type=A`);
    expect(named.recordsets).toEqual([expect.objectContaining({ zone_id: other.id, records: ['192.0.2.3'] })]);
    expect((await listAll('?data=192.0.2.2')).recordsets).toEqual([expect.objectContaining({ id: made[0]!.id })]);
    await v2RefusalOf(service.call('get', '/v2/recordsets?sort_key=id'), 400, 'invalid_sort_key');
    await v2RefusalOf(service.as('tenant-a').call('get', '/v2/recordsets?all_projects=1'), 403, 'forbidden');
    const ofNobody = await bodyOf<RecordSetList>(service.as('tenant-c').call('get', '/v2/recordsets'));
    expect(ofNobody).toMatchObject({ recordsets: [], metadata: { total_count: 0 } });
  });
});

it('13.2 paths may end in a slash, and HEAD is GET', async () => {
  await answerOf(service.call('get', `${sets.path}/`));
  await answerOf(service.call('get', '/v2/recordsets/'));
  await answerOf(service.call('head', sets.path));
});
