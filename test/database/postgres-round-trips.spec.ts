import { afterAll, afterEach, beforeAll, describe, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

/** What PostgreSQL is sent while some work goes on. */
async function sentDuring(work: () => Promise<unknown>): Promise<string[]> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  await work();
  const texts = query.mock.calls.map(([sent]: unknown[]) =>
    typeof sent === 'string' ? sent : (sent as pg.QueryConfig).text,
  );
  query.mockRestore();
  // Now and then plans are made anew.
  return texts.filter((text) => text !== 'DISCARD PLANS');
}

/** The same between a BEGIN and its COMMIT, both included. */
async function sentInTransactions(work: () => Promise<unknown>): Promise<string[]> {
  const all = await sentDuring(work);
  return all.slice(all.indexOf('BEGIN'), all.lastIndexOf('COMMIT') + 1);
}

/** What one of some requests of the same kind is sent for, at which the service did nothing else. */
async function sentForOne(work: (at: number) => Promise<unknown>): Promise<string[]> {
  let fewest: string[] | null = null;
  for (let at = 0; at < 3; at += 1) {
    const sent = await sentDuring(() => work(at));
    if (fewest === null || sent.length < fewest.length) fewest = sent;
  }
  return (fewest ?? []).map((text) => text.split(' ')[0] ?? '');
}

it('a create is four round trips and a commit', async () => {
  const domain = await newDomain(service);
  const body = { name: domain.at('www'), type: 'A', data: '192.0.2.1' };
  const sent = await sentInTransactions(() => bodyOf(domain.create(body)));
  expect(sent.map((text) => text.split(' ')[0])).toEqual(['BEGIN', 'SELECT', 'SELECT', 'WITH', 'COMMIT']);
});

it('creates that arrive together are no more', async () => {
  const domain = await newDomain(service);
  const create = (at: number) =>
    bodyOf(domain.create({ name: domain.at(`h${String(at)}`), type: 'A', data: '192.0.2.1' }));
  const sent = await sentInTransactions(() => Promise.all(Array.from({ length: 20 }, (_, at) => create(at))));
  expect(sent.filter((text) => text === 'COMMIT').length).toBeLessThan(10);
  expect(sent).toHaveLength(5 * sent.filter((text) => text === 'COMMIT').length);
});

it('creates in many domains that arrive together share transactions, and are no more', async () => {
  const domains = await Promise.all(Array.from({ length: 20 }, () => newDomain(service)));
  const create = (domain: TestDomain) =>
    bodyOf(domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' }));
  const sent = await sentInTransactions(() => Promise.all(domains.map(create)));
  expect(sent.filter((text) => text === 'COMMIT').length).toBeLessThan(10);
  expect(sent).toHaveLength(5 * sent.filter((text) => text === 'COMMIT').length);
});

it('domains that are made together share transactions', async () => {
  const sent = await sentInTransactions(() => Promise.all(Array.from({ length: 20 }, () => newDomain(service))));
  expect(sent.filter((text) => text === 'COMMIT').length).toBeLessThan(10);
  expect(sent.length).toBeLessThan(10 * 20);
});

describe('version 2', () => {
  const newSet = (zone: TestDomain, at: number, client: Client = service) => {
    const set = { name: zone.at(`h${String(at)}`), type: 'A', records: ['192.0.2.1'] };
    return bodyOf<{ id: string }>(client.call('post', `/v2/zones/${zone.id}/recordsets`, set), 202);
  };

  it('a create is what it is in version 1', async () => {
    const zone = await newDomain(service);
    const sent = await sentForOne((at) => newSet(zone, at));
    expect(sent).toEqual(['BEGIN', 'SELECT', 'SELECT', 'WITH', 'COMMIT']);
  });

  it('a create of a guest is no more', async () => {
    const zone = await newDomain(service);
    await answerOf(service.call('post', `/v2/zones/${zone.id}/shares`, { target_project_id: 'guest' }), 201);
    const sent = await sentForOne((at) => newSet(zone, at, service.as('guest')));
    expect(sent).toEqual(['BEGIN', 'SELECT', 'SELECT', 'WITH', 'COMMIT']);
  });

  it('a set is shown by one round trip', async () => {
    const zone = await newDomain(service);
    const { id } = await newSet(zone, 0);
    const sent = await sentForOne(() => bodyOf(service.call('get', `/v2/zones/${zone.id}/recordsets/${id}`)));
    expect(sent).toEqual(['SELECT']);
  });

  it('a list is two round trips, as in version 1', async () => {
    const zone = await newDomain(service);
    for (let at = 0; at < 3; at += 1) await newSet(zone, at);
    const sentForList = (path: string) => sentForOne(() => bodyOf(service.call('get', path)));
    expect(await sentForList(`/v2/zones/${zone.id}/recordsets?limit=20`)).toEqual(['SELECT', 'SELECT']);
    expect(await sentForList(`/v1/domains/${zone.id}/records?limit=20`)).toEqual(['SELECT', 'SELECT']);
  });
});
