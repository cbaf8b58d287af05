import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectRefusal, refusalOf } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { audit } from '../support/audit.js';
import { seedRecords } from '../support/seed.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});

interface Page {
  readonly records: readonly RecordBody[];
  readonly links?: { readonly self: string; readonly next?: string };
}

/** Follows `links.next` from the first page to the last. */
async function pagesOf(query: string, between: (page: Page) => Promise<void> = async () => {}): Promise<Page[]> {
  const pages: Page[] = [];
  for (let next: string | undefined = query; next !== undefined;) {
    const page: Page = await bodyOf<Page>(domain.list(next));
    pages.push(page);
    await between(page);
    next = page.links?.next === undefined ? undefined : new URL(page.links.next).search;
  }
  return pages;
}

const idsOf = (pages: readonly Page[]): string[] => pages.flatMap(({ records }) => records.map(({ id }) => id));

async function makeRecords(count: number): Promise<RecordBody[]> {
  const made: RecordBody[] = [];
  for (let at = 0; at < count; at++)
    made.push(await bodyOf(domain.create({ name: domain.at(`h${String(at)}`), type: 'A', data: '192.0.2.1' })));
  return made;
}

describe('a complete list', () => {
  it('6.4 of an empty domain is empty', async () => {
    expect(await bodyOf(domain.list())).toEqual({ records: [] });
  });

  it('6.4 keeps the order of creation after updates', async () => {
    const made = await makeRecords(5);
    await answerOf(domain.update(made[0]!.id, { ttl: 60 }));
    await answerOf(domain.update(made[3]!.id, { name: domain.at('a') }));
    expect((await domain.records()).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
  });

  it.each([999, 1000, 1001, 2500])('6.4 has all of %i records, each once', async (count) => {
    const seeded = seedRecords(service.databaseFile, domain.id, count);
    const listed = await domain.records();
    expect(listed.map(({ id }) => id)).toEqual(seeded);
    expect(listed[count - 1]).toMatchObject({ domain_id: domain.id, type: 'A', tenant_id: 'tenant-a', version: 1 });
  });

  it('6.4 is JSON also where it is streamed', async () => {
    seedRecords(service.databaseFile, domain.id, 1001);
    const { headers } = await answerOf(domain.list());
    expect(headers['content-type']).toBe('application/json; charset=utf-8');
  });

  it('6.4 begins after a marker', async () => {
    const made = await makeRecords(3);
    expect(idsOf([await bodyOf<Page>(domain.list(`?marker=${made[0]!.id}`))])).toEqual([made[1]!.id, made[2]!.id]);
    expect(idsOf([await bodyOf<Page>(domain.list(`?marker=${made[2]!.id}`))])).toEqual([]);
  });
});

describe('paging', () => {
  it.each([
    [1, 3, [1, 1, 1]],
    [2, 3, [2, 1]],
    [3, 3, [3]],
    [4, 3, [3]],
    [1000, 0, [0]],
  ])('6.4 a limit of %i divides %i records into %j', async (limit, count, sizes) => {
    const made = await makeRecords(count);
    const pages = await pagesOf(`?limit=${String(limit)}`);
    expect(pages.map(({ records }) => records.length)).toEqual(sizes);
    expect(idsOf(pages)).toEqual(made.map(({ id }) => id));
    expect(pages.map(({ links }) => links?.next !== undefined)).toEqual(sizes.map((_, at) => at < sizes.length - 1));
  });

  it.each([
    [1000, [1000]],
    [1001, [1000, 1]],
    [2500, [1000, 1000, 500]],
  ])('6.4 the largest page leads on through %i records', async (count, sizes) => {
    const seeded = seedRecords(service.databaseFile, domain.id, count);
    const pages = await pagesOf('?limit=1000');
    expect(pages.map(({ records }) => records.length)).toEqual(sizes);
    expect(idsOf(pages)).toEqual(seeded);
  });

  it('6.4 links are absolute and keep the filters', async () => {
    await makeRecords(3);
    const { links } = await bodyOf<Page>(domain.list('?limit=1&type=A&data=192.0.2.1'));
    const base = `${service.url}/v1/domains/${domain.id}/records?limit=1&type=A&data=192.0.2.1`;
    expect(links?.self).toBe(base);
    expect(links?.next).toMatch(`${base}&marker=`);
    expect(idsOf(await pagesOf('?limit=1&type=A&data=192.0.2.1'))).toHaveLength(3);
  });

  it('6.4 inserts and deletes between pages make no gap and no repeat', async () => {
    const made = (await makeRecords(9)).map(({ id }) => id);
    const added: string[] = [];
    let turn = 0;
    const pages = await pagesOf('?limit=3', async ({ records }) => {
      turn += 1;
      if (turn > 3) return;
      // One that was seen, one that was not: the last of this page, and the last but one of all.
      await answerOf(domain.delete(records[2]!.id));
      if (turn === 1) await answerOf(domain.delete(made[7]!));
      added.push(
        (await bodyOf(domain.create({ name: domain.at(`new${String(turn)}`), type: 'A', data: '192.0.2.9' }))).id,
      );
    });
    expect(idsOf(pages)).toEqual([...made.filter((id) => id !== made[7]), ...added]);
  });

  it('6.4 the marker is a record id in any spelling', async () => {
    const [first, second] = await makeRecords(2);
    for (const spelling of [first!.id, first!.id.toUpperCase(), first!.id.replaceAll('-', '')])
      expect(idsOf([await bodyOf<Page>(domain.list(`?limit=5&marker=${spelling}`))])).toEqual([second!.id]);
  });

  it('6.4 the marker may be a deleted record', async () => {
    const made = await makeRecords(3);
    await answerOf(domain.delete(made[1]!.id));
    expect(idsOf([await bodyOf<Page>(domain.list(`?limit=5&marker=${made[1]!.id}`))])).toEqual([made[2]!.id]);
  });
});

describe('a marker that the list has never had', () => {
  const UNKNOWN = { status: 400, type: 'invalid_object', faults: [{ path: 'marker', validator: 'enum' }] } as const;

  it('6.4 is refused, with a limit and without', async () => {
    const [made] = await makeRecords(1);
    const neighbour = made!.id.replace(/.$/, (last) => (last === '0' ? '1' : '0'));
    for (const marker of [randomUUID(), neighbour, domain.id])
      for (const query of [`?marker=${marker}`, `?limit=5&marker=${marker}`])
        expectRefusal(await domain.list(query), UNKNOWN);
  });

  it('6.4 is a record of another domain, also a deleted one', async () => {
    const other = await newDomain(service.as('tenant-b'));
    const [kept, deleted] = [await other.newRecord(), await other.newRecord({ name: other.at('deleted') })];
    await answerOf(other.delete(deleted.id));
    expect(idsOf([await bodyOf<Page>(other.list(`?marker=${deleted.id}`))])).toEqual([]);
    for (const { id } of [kept, deleted]) expectRefusal(await domain.list(`?marker=${id}`), UNKNOWN);
  });
});

describe('filters', () => {
  const RECORDS: [label: string, type: string, data: string, priority: number | null][] = [
    ['www', 'A', '192.0.2.1', null],
    ['www', 'A', '192.0.2.2', null],
    ['www', 'AAAA', '2001:db8::1', null],
    ['www', 'TXT', 'a & b = "c"'.replaceAll('"', "'"), null],
    ['mail', 'A', '192.0.2.1', null],
    ['mail', 'MX', 'mail.example.org.', 10],
    ['*', 'TXT', '100% ünïcödé', null],
  ];

  beforeEach(async () => {
    for (const [label, type, data, priority] of RECORDS)
      await bodyOf(domain.create({ name: domain.at(label), type, data, priority }));
  });

  it.each<[filter: Record<string, string>, found: number[]]>([
    [{ name: 'www' }, [0, 1, 2, 3]],
    [{ name: 'WWW' }, [0, 1, 2, 3]],
    [{ name: 'ww' }, []],
    [{ name: '*' }, [6]],
    [{ type: 'A' }, [0, 1, 4]],
    [{ type: 'SPF' }, []],
    [{ data: '192.0.2.1' }, [0, 4]],
    [{ data: '192.0.2.' }, []],
    [{ data: '2001:DB8::1' }, []],
    [{ data: "a & b = 'c'" }, [3]],
    [{ data: '100% ünïcödé' }, [6]],
    [{ data: '' }, []],
    [{ name: 'www', type: 'A' }, [0, 1]],
    [{ name: 'www', data: '192.0.2.1' }, [0]],
    [{ type: 'A', data: '192.0.2.1' }, [0, 4]],
    [{ name: 'mail', type: 'MX', data: 'mail.example.org.' }, [5]],
    [{ name: 'mail', type: 'MX', data: '192.0.2.1' }, []],
  ])('6.4 %j find records %j', async (filter, found) => {
    const query = new URLSearchParams({
      ...filter,
      ...(filter.name === undefined ? {} : { name: domain.at(filter.name) }),
    });
    const expected = found.map((at) => ({
      name: domain.at(RECORDS[at]![0]),
      type: RECORDS[at]![1],
      data: RECORDS[at]![2],
    }));
    const { records } = await bodyOf<Page>(domain.list(`?${query.toString()}`));
    expect(records.map(({ name, type, data }) => ({ name, type, data }))).toEqual(expected);
    const pages = await pagesOf(`?limit=1&${query.toString()}`);
    expect(idsOf(pages)).toEqual(records.map(({ id }) => id));
  });
});

describe('bad values', () => {
  it.each([
    ['limit=0', 'limit'],
    ['limit=00', 'limit'],
    ['limit=01', 'limit'],
    ['limit=0010', 'limit'],
    ['limit=%2B1', 'limit'],
    ['limit=1001', 'limit'],
    ['limit=-1', 'limit'],
    ['limit=1.5', 'limit'],
    ['limit=', 'limit'],
    ['limit=ten', 'limit'],
    ['limit=1e2', 'limit'],
    ['limit=0x10', 'limit'],
    ['limit=99999999999999999999', 'limit'],
    ['limit=1&limit=2', 'limit'],
    ['limit[]=1', 'limit[]'],
    ['marker=', 'marker'],
    ['marker=seven', 'marker'],
    ['marker=1', 'marker'],
    ['name=', 'name'],
    ['name=www', 'name'],
    ['name=a..b.', 'name'],
    ['name=b%C3%BCcher.example.org.', 'name'],
    ['name=a.example.org.&name=b.example.org.', 'name'],
    ['type=', 'type'],
    ['type=a', 'type'],
    ['type=XYZ', 'type'],
    ['type=A&type=MX', 'type'],
    ['data=a&data=b', 'data'],
    ['data=%00', 'data'],
    ['sort=size', 'sort'],
    ['order=name', 'order'],
    ['LIMIT=1', 'LIMIT'],
    ['__proto__=x', '__proto__'],
  ])('6.4 refuses %s', async (query, path) => {
    const { errors } = await refusalOf(domain.list(`?${query}`), 400, 'invalid_object');
    expect(errors).toMatchObject([{ path }]);
  });

  it('6.4 a missing domain is 404', async () => {
    await refusalOf(
      service.call('get', '/v1/domains/00000000-0000-4000-8000-000000000000/records'),
      404,
      'domain_not_found',
    );
    await refusalOf(service.as('tenant-b').call('get', `/v1/domains/${domain.id}/records`), 404, 'domain_not_found');
  });
});

describe('strict clients', () => {
  it('6.6 v1_strict_clients makes a list carry the ten fields of a single record (attack case 113)', async () => {
    const strict = await startTestService({ SERVICE_API__V1_STRICT_CLIENTS: 'True' });
    try {
      const own = await newDomain(strict);
      const created = await bodyOf(own.create({ name: own.at('www'), type: 'A', data: '192.0.2.1' }));
      expect(await own.records()).toEqual([created]);
      expect(await bodyOf(own.list('?limit=1'))).toMatchObject({ records: [created] });
    } finally {
      await strict.stop();
    }
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
