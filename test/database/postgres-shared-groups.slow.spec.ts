import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { Logger } from '@nestjs/common';
import type { Test } from 'supertest';
import { audit } from '../support/audit.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { queryPostgres } from '../support/postgres/databases.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domains: readonly [TestDomain, TestDomain, TestDomain];
beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domains = [await newDomain(service), await newDomain(service), await newDomain(service)];
});
afterEach(() => audit(service.databaseFile));

const query = (sql: string, values: readonly unknown[] = []) => queryPostgres(service.databaseFile, sql, values);

const createAt = (domain: TestDomain, label: string): Test =>
  domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' });

const statusesOf = async (requests: readonly Test[]): Promise<number[]> =>
  (await Promise.all(requests)).map(({ status }) => status);

describe('changes of several domains that arrive together', () => {
  it('are answered by the state of their own domains', async () => {
    const [first, second, third] = domains;
    const { id } = await second.newRecord({ name: second.at('old') });
    await third.newRecord({ name: third.at('alias'), type: 'CNAME', data: 'x.example.org.' });
    const record = { name: first.at('two'), type: 'A', data: '192.0.2.1' };
    const statuses = await statusesOf([
      createAt(first, 'one'),
      createAt(first, 'one'),
      second.update(id, { ttl: 300 }),
      second.delete(id),
      createAt(third, 'alias'),
      createAt(third, 'beside'),
      service.call('post', `/v1/domains/${id}/records`, record),
      service.as('stranger').call('post', `/v1/domains/${first.id}/records`, record),
    ]);
    expect(statuses).toEqual([200, 409, 200, 200, 400, 200, 404, 404]);
    expect((await first.records()).map(({ name }) => name)).toEqual([first.at('one')]);
    expect(await second.records()).toEqual([]);
  });

  it('take each other’s contents in every domain alike', async () => {
    const swaps = await Promise.all(
      domains.map(async (domain) => {
        const [one, other] = [await domain.newRecord(), await domain.newRecord({ data: '192.0.2.4' })];
        return { domain, one, other };
      }),
    );
    const swap = ({ domain, one, other }: (typeof swaps)[number]): Test =>
      service.call('post', `/v1/domains/${domain.id}/changes`, {
        changes: [
          { action: 'update', id: one.id, record: { data: other.data } },
          { action: 'update', id: other.id, record: { data: one.data } },
        ],
      });
    expect(await statusesOf(swaps.map(swap))).toEqual([200, 200, 200]);
    for (const { domain, one, other } of swaps) {
      const data = new Map((await domain.records()).map((record) => [record.id, record.data]));
      expect([data.get(one.id), data.get(other.id)]).toEqual([other.data, one.data]);
    }
  });

  it('wait only for domains that another process holds', async () => {
    const [held, ...others] = domains;
    query('BEGIN');
    query('SELECT 1 FROM zones WHERE id = $1 FOR UPDATE', [held.id]);
    const waiting = statusesOf([createAt(held, 'one'), createAt(held, 'two')]);
    expect(await statusesOf(others.map((domain) => createAt(domain, 'www')))).toEqual([200, 200]);
    expect(await statusesOf(others.map((domain) => createAt(domain, 'mail')))).toEqual([200, 200]);
    expect(await held.records()).toEqual([]);
    query('ROLLBACK');
    expect(await waiting).toEqual([200, 200]);
  });

  it('are all stored when one of them fails', async () => {
    // Silences the expected errors in the log.
    Logger.overrideLogger(false);
    const [broken, ...others] = domains;
    // The next change of the domain would write a step that is there already.
    const step =
      'INSERT INTO journal (zone_id, number, serial, change_id, action, tenant_id, request_id, at)' +
      ' SELECT id, version + 1, serial, id, $2, tenant_id, id, changed_at FROM zones WHERE id = $1';
    query(step, [broken.id, 'record.create']);
    const statuses = await statusesOf([broken, ...others].map((domain) => createAt(domain, 'www')));
    expect(statuses).toEqual([500, 200, 200]);
    query('DELETE FROM journal WHERE zone_id = $1 AND change_id = zone_id', [broken.id]);
    expect(await statusesOf([createAt(broken, 'www')])).toEqual([200]);
  });
});
