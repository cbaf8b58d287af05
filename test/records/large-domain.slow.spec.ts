import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Test } from 'supertest';
import { audit } from '../support/audit.js';
import { answerOf, bodyOf } from '../support/answers.js';
import type { ListedBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { seededAddress, seedRecords } from '../support/seed.js';
import { startTestService, type TestService } from '../support/service.js';
import { lookInto } from '../support/stored.js';
import { until } from '../support/until.js';

const COUNT = 50_000;

let service: TestService;
let domain: TestDomain;
let seeded: string[];

beforeAll(async () => {
  service = await startTestService();
  domain = await newDomain(service);
  seeded = seedRecords(service.databaseFile, domain.id, COUNT);
});
afterAll(() => service.stop());

/** Requests while `work` runs; returns the number of responses. */
async function answersDuring(work: Promise<unknown>, ask: (turn: number) => Test): Promise<number> {
  const over = new AbortController();
  const end = (): void => over.abort();
  void work.then(end, end);
  let count = 0;
  for (; !over.signal.aborted; count++) {
    await answerOf(ask(count));
    await delay(5);
  }
  return count;
}

const getOne = (turn: number): Test => domain.get(seeded[turn % COUNT]!);

describe(`a domain of ${String(COUNT)} records`, () => {
  it('6.4 lists completely, in order, while others are answered', async () => {
    const listing = fetch(`${service.url}/v1/domains/${domain.id}/records`, {
      headers: { 'X-Auth-Project-ID': 'tenant-a' },
    });
    const reading = listing.then((answer) => answer.text());
    const count = await answersDuring(reading, getOne);
    const { records } = JSON.parse(await reading) as { records: ListedBody[] };
    expect(records.length).toBe(COUNT);
    expect(records.every(({ id }, at) => id === seeded[at])).toBe(true);
    expect(count).toBeGreaterThan(5);
  });

  it('6.4 is searched by data alone while others are answered', async () => {
    const last = seededAddress(COUNT - 1);
    const searching = bodyOf<{ records: ListedBody[] }>(domain.list(`?data=${last}`));
    await answersDuring(searching, getOne);
    expect((await searching).records).toMatchObject([{ id: seeded[COUNT - 1], data: last }]);
    expect(await bodyOf(domain.list('?type=TXT'))).toEqual({ records: [] });
    const { records } = await bodyOf<{ records: ListedBody[] }>(domain.list(`?name=${domain.at('H25000')}`));
    expect(records).toMatchObject([{ id: seeded[25_000] }]);
  });

  it('6.4 is paged from the middle as quickly as from the start', async () => {
    const page = await bodyOf<{ records: ListedBody[]; links: { next: string } }>(
      domain.list(`?limit=1000&marker=${seeded[24_999]!}`),
    );
    expect(page.records.map(({ id }) => id)).toEqual(seeded.slice(25_000, 26_000));
    expect(page.links.next).toContain(`marker=${seeded[25_999]!}`);
    const filtered = await bodyOf<{ records: ListedBody[]; links: object }>(
      domain.list(`?limit=1000&type=A&marker=${seeded[COUNT - 501]!}`),
    );
    expect(filtered.records.map(({ id }) => id)).toEqual(seeded.slice(-500));
    expect(filtered.links).not.toHaveProperty('next');
  });

  it('6.1 accepts and returns records like any other', async () => {
    const { id } = await bodyOf(domain.create({ name: domain.at('h1'), type: 'A', data: '192.0.2.1' }));
    await answerOf(domain.delete(id));
    await answerOf(domain.delete(seeded[7]!));
    audit(service.databaseFile);
  });

  it('7.1, 18.11 is deleted whole, and its rows are removed while others are answered', async () => {
    const quiet = await newDomain(service);
    await answerOf(service.call('delete', `/v1/domains/${domain.id}`));
    const sql = 'SELECT COUNT(*) AS count FROM left_contents';
    const isRemoved = (): boolean =>
      lookInto(service.databaseFile, ({ rows }) => rows<{ count: number }>(sql))[0]?.count === 0;
    const count = await answersDuring(until(isRemoved), () => quiet.list());
    expect(count).toBeGreaterThan(3);
    await bodyOf(quiet.create({ name: quiet.name, type: 'A', data: '192.0.2.1' }));
    audit(service.databaseFile);
  });
});
