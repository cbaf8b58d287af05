import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Trip, tripsDuring } from '../support/postgres/round-trips.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

/** Statements of each transaction that changes a domain; background writes look different. */
async function transactionsDuring(work: () => Promise<unknown>): Promise<Trip[][]> {
  const transactions: Trip[][] = [];
  for (const trips of await tripsDuring(work))
    for (const trip of trips)
      if (trip.includes('BEGIN')) transactions.push([trip]);
      else transactions.at(-1)?.push(trip);
  const untilCommit = transactions.map((trips) => {
    const end = trips.findIndex((trip) => trip.includes('COMMIT'));
    return trips.slice(0, end + 1);
  });
  return untilCommit.filter((trips) => trips.flat().includes('WITH'));
}

/** Round trips of one request among several equal ones in an otherwise idle service. */
async function tripsForOne(work: (at: number) => Promise<unknown>): Promise<Trip[]> {
  let fewest: Trip[] | null = null;
  // Background tasks write each second or two.
  for (let at = 0; at < 10; at += 1) {
    const trips = (await tripsDuring(() => work(at))).flat();
    if (fewest === null || trips.length < fewest.length) fewest = trips;
  }
  return fewest ?? [];
}

/** In a domain that the process has not changed before, the domain lock comes first. */
const FIRST_CREATE = [['BEGIN', 'SELECT'], ['SELECT'], ['WITH', 'COMMIT']];
const CREATE = [
  ['BEGIN', 'SELECT', 'SELECT'],
  ['WITH', 'COMMIT'],
];

it('a create is two round trips, and the first in a domain three', async () => {
  const domain = await newDomain(service);
  const create = (name: string) => () => bodyOf(domain.create({ name: domain.at(name), type: 'A', data: '192.0.2.1' }));
  expect(await transactionsDuring(create('first'))).toEqual([FIRST_CREATE]);
  expect(await transactionsDuring(create('second'))).toEqual([CREATE]);
});

it('creates that arrive together are no more', async () => {
  const domain = await newDomain(service);
  const create = (at: number) =>
    bodyOf(domain.create({ name: domain.at(`h${String(at)}`), type: 'A', data: '192.0.2.1' }));
  await create(20);
  const transactions = await transactionsDuring(() => Promise.all(Array.from({ length: 20 }, (_, at) => create(at))));
  expect(transactions.length).toBeLessThan(10);
  for (const trips of transactions) expect(trips).toEqual(CREATE);
});

it('creates in many domains that arrive together share transactions, and are no more', async () => {
  const domains = await Promise.all(Array.from({ length: 20 }, () => newDomain(service)));
  const create = (domain: TestDomain) =>
    bodyOf(domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' }));
  const transactions = await transactionsDuring(() => Promise.all(domains.map(create)));
  expect(transactions.length).toBeLessThan(10);
  for (const trips of transactions) expect(trips).toEqual(FIRST_CREATE);
});

it('domains created concurrently share transactions', async () => {
  const transactions = await transactionsDuring(() =>
    Promise.all(Array.from({ length: 20 }, () => newDomain(service))),
  );
  expect(transactions.length).toBeLessThan(10);
  for (const trips of transactions) expect(trips.length).toBeLessThan(12);
});

describe('version 2', () => {
  const newSet = (zone: TestDomain, at: number, client: Client = service) => {
    const set = { name: zone.at(`h${String(at)}`), type: 'A', records: ['192.0.2.1'] };
    return bodyOf<{ id: string }>(client.call('post', `/v2/zones/${zone.id}/recordsets`, set), 202);
  };

  it('a create has the round trips of version 1', async () => {
    const zone = await newDomain(service);
    expect(await tripsForOne((at) => newSet(zone, at))).toEqual(CREATE);
  });

  it('a create of a guest is no more', async () => {
    const zone = await newDomain(service);
    await answerOf(service.call('post', `/v2/zones/${zone.id}/shares`, { target_project_id: 'guest' }), 201);
    expect(await tripsForOne((at) => newSet(zone, at, service.as('guest')))).toEqual(CREATE);
  });

  it('a set is shown by one round trip', async () => {
    const zone = await newDomain(service);
    const { id } = await newSet(zone, 0);
    const trips = await tripsForOne(() => bodyOf(service.call('get', `/v2/zones/${zone.id}/recordsets/${id}`)));
    expect(trips).toEqual([['SELECT']]);
  });

  it('a list is two round trips, as in version 1', async () => {
    const zone = await newDomain(service);
    for (let at = 0; at < 3; at += 1) await newSet(zone, at);
    const tripsForList = (path: string) => tripsForOne(() => bodyOf(service.call('get', path)));
    expect(await tripsForList(`/v2/zones/${zone.id}/recordsets?limit=20`)).toEqual([['SELECT'], ['SELECT']]);
    expect(await tripsForList(`/v1/domains/${zone.id}/records?limit=20`)).toEqual([['SELECT'], ['SELECT']]);
  });
});
