import { afterAll, afterEach, beforeAll, expect, it, jest } from '@jest/globals';
import pg from 'pg';
import { bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
afterEach(() => audit(service.databaseFile));

/** What PostgreSQL is sent between a BEGIN and its COMMIT, both included, while some work goes on. */
async function sentDuring(work: () => Promise<unknown>): Promise<string[]> {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  await work();
  const texts = query.mock.calls.map(([sent]: unknown[]) =>
    typeof sent === 'string' ? sent : (sent as pg.QueryConfig).text,
  );
  query.mockRestore();
  // Now and then plans are made anew.
  const all = texts.filter((text) => text !== 'DISCARD PLANS');
  return all.slice(all.indexOf('BEGIN'), all.lastIndexOf('COMMIT') + 1);
}

it('a create is four round trips and a commit', async () => {
  const domain = await newDomain(service);
  const body = { name: domain.at('www'), type: 'A', data: '192.0.2.1' };
  const sent = await sentDuring(() => bodyOf(domain.create(body)));
  expect(sent.map((text) => text.split(' ')[0])).toEqual(['BEGIN', 'SELECT', 'SELECT', 'WITH', 'COMMIT']);
});

it('creates that arrive together are no more', async () => {
  const domain = await newDomain(service);
  const create = (at: number) =>
    bodyOf(domain.create({ name: domain.at(`h${String(at)}`), type: 'A', data: '192.0.2.1' }));
  const sent = await sentDuring(() => Promise.all(Array.from({ length: 20 }, (_, at) => create(at))));
  expect(sent.filter((text) => text === 'COMMIT').length).toBeLessThan(10);
  expect(sent).toHaveLength(5 * sent.filter((text) => text === 'COMMIT').length);
});

it('creates in many domains that arrive together share transactions, and are no more', async () => {
  const domains = await Promise.all(Array.from({ length: 20 }, () => newDomain(service)));
  const create = (domain: TestDomain) =>
    bodyOf(domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' }));
  const sent = await sentDuring(() => Promise.all(domains.map(create)));
  expect(sent.filter((text) => text === 'COMMIT').length).toBeLessThan(10);
  expect(sent).toHaveLength(5 * sent.filter((text) => text === 'COMMIT').length);
});
