import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, refusalOf, REQUEST_ID, TIMESTAMP, UUID } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { HistoryBody } from '../support/bodies.js';
import { freshName, newDomain, type TestDomain } from '../support/domain.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { storeRows } from '../support/store-rows.js';

const NOWHERE = '00000000-0000-4000-8000-000000000000';

let service: TestService;
let member: Client;
let zone: TestDomain;

beforeAll(async () => {
  service = await startTestService();
  member = service.as('tenant-m');
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(member);
});
afterEach(() => audit(service.databaseFile));

const history = (query = '', client = member): Promise<HistoryBody> =>
  bodyOf<HistoryBody>(client.call('get', `/v1/domains/${zone.id}/history${query}`));
const historyOfName = (name: string, client = member, query = '') =>
  client.call('get', `/v1/history?domain=${name}${query}`);
const refuse = (query: string) =>
  refusalOf(member.call('get', `/v1/domains/${zone.id}/history${query}`), 400, 'invalid_object');

/** Takes the first entries away, as retention does. */
function forget(upTo: number): void {
  storeRows(service.databaseFile, {}, `DELETE FROM journal WHERE zone_id = '${zone.id}' AND number <= ${upTo}`);
}

/** Follows the links from the first page to the last. */
async function pages(query: string): Promise<number[][]> {
  const numbers: number[][] = [];
  for (let next: string | undefined = `/v1/domains/${zone.id}/history${query}`; next !== undefined;) {
    const body: HistoryBody = await bodyOf<HistoryBody>(member.call('get', next.replace(service.url, '')));
    numbers.push(body.history.map(({ number }) => number));
    next = body.links.next;
  }
  return numbers;
}

describe('the history of a domain', () => {
  it('11.1 shows author, action and time, latest first, with records as the API shows them', async () => {
    const record = await zone.newRecord({ ttl: 300, description: 'web' });
    const { body: changed, headers } = await answerOf(zone.update(record.id, { data: '192.0.2.4' }));
    await answerOf(zone.delete(record.id));
    const { history: entries, links } = await history();
    expect(entries.map(({ number, action }) => [number, action])).toEqual([
      [4, 'record.delete'],
      [3, 'record.update'],
      [2, 'record.create'],
      [1, 'domain.create'],
    ]);
    expect(entries[1]).toEqual({
      number: 3,
      serial: expect.any(Number),
      change_id: expect.stringMatching(UUID),
      message: null,
      action: 'record.update',
      at: expect.stringMatching(TIMESTAMP),
      actor: { tenant_id: 'tenant-m', token_id: null, user: null },
      request_id: headers['x-openstack-request-id'],
      before: record,
      after: changed,
      domain: null,
    });
    expect(entries[1]!.request_id).toMatch(REQUEST_ID);
    expect([entries[0]!.before, entries[0]!.after]).toEqual([changed, null]);
    expect([entries[2]!.before, entries[2]!.after]).toEqual([null, record]);
    expect(entries[0]!.serial).toBe((await zone.now()).serial);
    expect(links).toEqual({ self: `${service.url}/v1/domains/${zone.id}/history` });
  });

  it('11.1 shows the domain before and after', async () => {
    const before = await zone.now();
    const after = await bodyOf(member.call('put', `/v1/domains/${zone.id}`, { ttl: 60 }));
    const { history: entries } = await history();
    expect(entries[0]).toMatchObject({ action: 'domain.update', before: null, after: null, domain: { before, after } });
    expect(entries[1]).toMatchObject({ action: 'domain.create', domain: { before: null, after: before } });
  });

  it('11.1 the entries of one change share its id and its serial', async () => {
    await zone.import('a A 192.0.2.1\nb A 192.0.2.2\n');
    const [second, first, created] = (await history()).history;
    expect([second!.change_id, second!.serial]).toEqual([first!.change_id, first!.serial]);
    expect(created!.change_id).not.toBe(first!.change_id);
  });

  it('11.1 is paged by limit and marker', async () => {
    for (const label of ['a', 'b', 'c', 'd']) await zone.newRecord({ name: zone.at(label) });
    expect(await pages('?limit=2')).toEqual([[5, 4], [3, 2], [1]]);
    expect(await pages('?limit=5')).toEqual([[5, 4, 3, 2, 1]]);
    expect(await pages('?marker=3')).toEqual([[2, 1]]);
    expect(await pages('?marker=1')).toEqual([[]]);
    expect(await pages(`?marker=${String(Number.MAX_SAFE_INTEGER)}&limit=4`)).toEqual([[5, 4, 3, 2], [1]]);
  });

  it('11.1 name, type and since choose the entries', async () => {
    const { id } = await zone.newRecord({ name: zone.at('old') });
    await zone.newRecord({ name: zone.at('other'), type: 'TXT', data: 'text' });
    const { body } = await answerOf(zone.update(id, { name: zone.at('new') }));
    const numbersOf = async (query: string) => (await history(query)).history.map(({ number }) => number);
    expect(await numbersOf(`?name=${zone.at('OLD').toUpperCase()}`)).toEqual([4, 2]);
    expect(await numbersOf(`?name=${zone.at('new')}`)).toEqual([4]);
    expect(await numbersOf(`?name=${zone.at('none')}`)).toEqual([]);
    expect(await numbersOf('?type=TXT')).toEqual([3]);
    expect(await numbersOf(`?type=A&name=${zone.at('other')}`)).toEqual([]);
    const [latest] = (await history('?limit=1')).history;
    expect(latest!.after).toEqual(body);
    expect(await numbersOf(`?since=${latest!.at}`)).toEqual([4]);
    expect(await numbersOf(`?since=${latest!.at}Z&type=TXT`)).toEqual([]);
    expect(await numbersOf('?since=2000-01-01T00:00:00')).toEqual([4, 3, 2, 1]);
    expect(await numbersOf('?since=9999-12-31T23:59:59Z')).toEqual([]);
  });

  it('11.1 a page of long records is shorter than its limit and leads on', async () => {
    for (let at = 0; at < 12; at++)
      await zone.newRecord({ name: zone.at(`t${at}`), type: 'TXT', data: `${'x'.repeat(60_000)}${at}` });
    const found = await pages('?limit=1000');
    expect(found.length).toBeGreaterThan(1);
    expect(found.flat()).toEqual(Array.from({ length: 13 }, (_, at) => 13 - at));
  });

  it('11.1 copes with a history whose beginning is not kept', async () => {
    await zone.import('a A 192.0.2.1\nb A 192.0.2.2\nc A 192.0.2.3\n');
    await zone.newRecord();
    forget(2);
    expect(await pages('?limit=2')).toEqual([[5, 4], [3]]);
    expect(await pages('?limit=2&type=A')).toEqual([[5, 4], [3]]);
    forget(5);
    expect(await pages('')).toEqual([[]]);
    await answerOf(member.call('delete', `/v1/domains/${zone.id}`));
    forget(6);
    await refusalOf(historyOfName(zone.name), 404, 'domain_not_found');
  });

  it('11.1, 3.2 is shown to its owner, and to an admin who asks for all tenants', async () => {
    const path = `/v1/domains/${zone.id}/history`;
    await refusalOf(service.as('tenant-x').call('get', path), 404, 'domain_not_found');
    await refusalOf(service.as('tenant-x').call('get', '/v1/history?domain=' + zone.name), 404, 'domain_not_found');
    await refusalOf(service.call('get', path), 404, 'domain_not_found');
    await refusalOf(member.call('get', `/v1/domains/${NOWHERE}/history`), 404, 'domain_not_found');
    await refusalOf(member.call('get', '/v1/domains/x/history'), 404, 'domain_not_found');
    for (const header of ['X-Auth-All-Projects', 'X-Auth-Sudo-Tenant-ID']) {
      const value = header === 'X-Auth-All-Projects' ? 'true' : 'tenant-m';
      await answerOf(service.call('get', path).set(header, value));
    }
  });

  it('11.1 rejects invalid pages and filters', async () => {
    const cases = ['limit=0', 'limit=1001', 'limit=1.5', 'limit=', 'marker=abc', 'marker=0', 'marker=-1'];
    const names = [
      'name=www',
      'name=*',
      'type=NOPE',
      'type=a',
      'since=yesterday',
      'since=',
      'since=2026-02-30T00:00:00Z',
    ];
    const numbers = ['marker=9007199254740993', `marker=${'9'.repeat(30)}`, 'since=1763600000', 'page=2'];
    for (const query of [...cases, ...names, ...numbers]) {
      const { errors } = await refuse(`?${query}`);
      expect(errors!.map(({ path }) => path)).toEqual([query.split('=')[0]]);
    }
    await refuse('?limit=1&limit=2');
  });
});

describe('the history of a name', () => {
  it('11.1 is readable to its owner after the domain is deleted, by name and by id', async () => {
    await zone.newRecord();
    await answerOf(member.call('delete', `/v1/domains/${zone.id}`));
    const { history: entries } = await bodyOf<HistoryBody>(historyOfName(zone.name.toUpperCase()));
    expect(entries.map(({ action }) => action)).toEqual(['domain.delete', 'record.create', 'domain.create']);
    expect(entries[0]!.domain).toMatchObject({ before: { id: zone.id, name: zone.name }, after: null });
    expect(await history()).toMatchObject({ history: entries });
    const first = await bodyOf<HistoryBody>(historyOfName(zone.name, member, '&limit=2'));
    expect(first.links.next).toBe(`${service.url}/v1/domains/${zone.id}/history?limit=2&marker=2`);
    const stranger = service.as('tenant-x');
    await refusalOf(historyOfName(zone.name, stranger), 404, 'domain_not_found');
    await refusalOf(stranger.call('get', `/v1/domains/${zone.id}/history`), 404, 'domain_not_found');
    await answerOf(historyOfName(zone.name, service).set('X-Auth-All-Projects', 'true'));
  });

  it("11.1 is that of the domain which is there, else of the last one that was the caller's", async () => {
    const idOf = async (client: Client): Promise<unknown> =>
      (await bodyOf<HistoryBody>(historyOfName(zone.name, client))).links.self.split('/').at(-2);
    const remove = (domain: TestDomain, client: Client) => answerOf(client.call('delete', `/v1/domains/${domain.id}`));
    await remove(zone, member);
    const second = await newDomain(member, zone.name);
    expect(await idOf(member)).toBe(second.id);
    await remove(second, member);
    expect(await idOf(member)).toBe(second.id);
    const third = await newDomain(service.as('tenant-x'), zone.name.toUpperCase());
    expect(await idOf(member)).toBe(second.id);
    expect(await idOf(service.as('tenant-x'))).toBe(third.id);
    await remove(third, service.as('tenant-x'));
    expect(await idOf(member)).toBe(second.id);
    expect(await idOf(service.as('tenant-x'))).toBe(third.id);
  });

  it('11.1 needs an absolute name', async () => {
    for (const query of ['', '?domain=', '?domain=example.org', '?domain=*.example.org.', '?domain=a..b.']) {
      const { errors } = await refusalOf(member.call('get', `/v1/history${query}`), 400, 'invalid_object');
      expect(errors).toMatchObject([{ path: 'domain' }]);
    }
    await refusalOf(historyOfName(freshName()), 404, 'domain_not_found');
  });
});
