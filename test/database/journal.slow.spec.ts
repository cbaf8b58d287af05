import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Response } from 'supertest';
import { answerOf, bodyOf, refusalOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { audit, contentsOf } from '../support/audit.js';
import { journalOf } from '../support/journal.js';
import { type Client, startTestService, type TestService } from '../support/service.js';

let service: TestService;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
const NOWHERE = '00000000-0000-4000-8000-000000000000';

/** The one row that an accepted change has added to the story of its domain. */
async function entryOf(zoneId: string, change: () => Promise<Response>) {
  const before = journalOf(service.databaseFile, zoneId);
  const answer = await change();
  const after = journalOf(service.databaseFile, zoneId);
  expect(after.slice(0, -1)).toEqual(before);
  const [entry] = after.slice(-1);
  expect(entry).toMatchObject({ number: before.length + 1, request_id: answer.headers['x-openstack-request-id'] });
  expect(Math.abs(entry!.at / 1000 - Date.now())).toBeLessThan(5000);
  return { entry: entry!, answer };
}

describe('an accepted change has exactly one row in the journal', () => {
  it('7.5 when a record is created', async () => {
    const domain = await newDomain(service);
    const record = { name: domain.at('www'), type: 'MX', data: 'mail.example.org.', priority: 10, ttl: 60 };
    const { entry, answer } = await entryOf(domain.id, () => answerOf(domain.create(record)));
    expect(entry).toMatchObject({ action: 'record.create', tenant_id: 'tenant-a', before: null });
    expect(entry.after).toEqual({ ...answer.body, version: 1, rdata: '000a046d61696c076578616d706c65036f726700' });
  });

  it('7.5 when a record is updated', async () => {
    const domain = await newDomain(service);
    const created = await bodyOf(domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' }));
    const { entry, answer } = await entryOf(domain.id, () =>
      answerOf(domain.update(created.id, { data: '192.0.2.2' })),
    );
    expect(entry).toMatchObject({ action: 'record.update', tenant_id: 'tenant-a' });
    expect(entry.before).toEqual({ ...created, version: 1, rdata: 'c0000201' });
    expect(entry.after).toEqual({ ...answer.body, version: 2, rdata: 'c0000202' });
  });

  it('7.5 when a record is deleted', async () => {
    const domain = await newDomain(service);
    const created = await bodyOf(domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' }));
    const { entry } = await entryOf(domain.id, () => answerOf(domain.delete(created.id)));
    expect(entry).toMatchObject({ action: 'record.delete', before: { ...created, version: 1 }, after: null });
  });

  it('7.5 when a domain is created', async () => {
    const body = { name: 'journal.example.net.', email: 'hostmaster@example.org' };
    const { headers, body: created } = await answerOf(service.call('post', '/v1/domains', body));
    expect(journalOf(service.databaseFile, created.id)).toEqual([
      {
        number: 1,
        serial: created.serial,
        change_id: expect.stringMatching(UUID),
        action: 'zone.create',
        record_id: null,
        before: null,
        after: created,
        tenant_id: 'tenant-a',
        token_id: null,
        user_name: null,
        request_id: headers['x-openstack-request-id'],
        at: expect.any(Number),
      },
    ]);
  });

  it('7.5 when a domain is updated', async () => {
    const domain = await newDomain(service);
    const before = await domain.now();
    const update = () => answerOf(service.call('put', `/v1/domains/${domain.id}`, { description: 'changed' }));
    const { entry, answer } = await entryOf(domain.id, update);
    expect(entry).toMatchObject({ action: 'zone.update', before, after: answer.body, serial: answer.body.serial });
  });

  it('7.5 when a domain is deleted with all that was in it', async () => {
    const domain = await newDomain(service);
    for (const label of ['a', 'b', 'c'])
      await bodyOf(domain.create({ name: domain.at(label), type: 'A', data: '192.0.2.1' }));
    const before = await domain.now();
    const { entry } = await entryOf(domain.id, () => answerOf(service.call('delete', `/v1/domains/${domain.id}`)));
    expect(entry).toMatchObject({ action: 'zone.delete', before, after: null });
    expect(entry.serial).toBeGreaterThan(before.serial);
  });

  it('7.2, 7.5 with the serial that the domain then has', async () => {
    const domain = await newDomain(service);
    const { id } = await bodyOf(domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' }));
    for (const ttl of [1, 2, 3]) {
      const { entry } = await entryOf(domain.id, () => answerOf(domain.update(id, { ttl })));
      expect((await domain.now()).serial).toBe(entry.serial);
    }
  });

  it('3.2, 7.5 with the tenant that asked, also where it is not the owner', async () => {
    const domain = await newDomain(service.as('tenant-owner'));
    const body = { name: domain.at('www'), type: 'A', data: '192.0.2.1' };
    const everywhere = { 'X-Auth-All-Projects': 'true' };
    await bodyOf(service.call('post', `/v1/domains/${domain.id}/records`, body).set(everywhere));
    expect(journalOf(service.databaseFile, domain.id).map(({ tenant_id }) => tenant_id)).toEqual([
      'tenant-owner',
      'tenant-a',
    ]);
  });
});

describe('a refused change leaves nothing', () => {
  let domain: TestDomain;
  let id: string;

  beforeAll(async () => {
    domain = await newDomain(service);
    ({ id } = await bodyOf(domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' })));
    await bodyOf(domain.create({ name: domain.at('alias'), type: 'CNAME', data: 'www.example.org.' }));
    await newDomain(service, domain.at('child'));
  });

  const path = (): string => `/v1/domains/${domain.id}`;
  const record = (fields: object): object => ({ name: domain.at('new'), type: 'A', data: '192.0.2.1', ...fields });

  it.each<[string, number, string, (client: Client) => ReturnType<Client['call']>]>([
    ['4.1 an unknown field', 400, 'invalid_object', (c) => c.call('post', `${path()}/records`, record({ no: 1 }))],
    ['5.2 bad data', 400, 'invalid_object', (c) => c.call('post', `${path()}/records`, record({ data: '1.2.3' }))],
    ['6.5 an SOA', 400, 'bad_request', (c) => c.call('post', `${path()}/records`, record({ type: 'SOA' }))],
    [
      '5.7 outside',
      400,
      'invalid_recordset_location',
      (c) => c.call('post', `${path()}/records`, record({ name: 'a.example.net.' })),
    ],
    [
      '5.6 next to a CNAME',
      400,
      'invalid_recordset_location',
      (c) => c.call('post', `${path()}/records`, record({ name: domain.at('alias') })),
    ],
    [
      '5.7 in a child',
      400,
      'invalid_recordset_location',
      (c) => c.call('post', `${path()}/records`, record({ name: domain.at('a.child') })),
    ],
    [
      '5.5 a duplicate',
      409,
      'duplicate_record',
      (c) => c.call('post', `${path()}/records`, record({ name: domain.at('WWW') })),
    ],
    [
      '6.2 a bad update',
      400,
      'invalid_object',
      (c) => c.call('put', `${path()}/records/${id}`, { ttl: 60, data: 'x' }),
    ],
    [
      '6.2 another type',
      400,
      'bad_request',
      (c) => c.call('put', `${path()}/records/${id}`, { type: 'TXT', data: 'x' }),
    ],
    [
      '6.2 a misplaced update',
      400,
      'invalid_recordset_location',
      (c) => c.call('put', `${path()}/records/${id}`, { name: domain.at('alias') }),
    ],
    [
      '6.2 a record that is not there',
      404,
      'record_not_found',
      (c) => c.call('put', `${path()}/records/${NOWHERE}`, {}),
    ],
    ['6.1 nothing to delete', 404, 'record_not_found', (c) => c.call('delete', `${path()}/records/${NOWHERE}`)],
    ['7.1 a bad domain', 400, 'invalid_object', (c) => c.call('post', '/v1/domains', { name: 'x.example.org.' })],
    [
      '7.1 a domain twice',
      409,
      'duplicate_domain',
      (c) => c.call('post', '/v1/domains', { name: domain.name, email: 'a@example.org' }),
    ],
    ['7.1 a renaming', 400, 'bad_request', (c) => c.call('put', path(), { name: 'x.example.org.', ttl: 1 })],
    ['7.1 a parent', 400, 'domain_has_sub_domain', (c) => c.call('delete', path())],
  ])('%s', async (_, status, type, send) => {
    const before = contentsOf(service.databaseFile);
    await refusalOf(send(service), status, type);
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('3.2, 7.5 reject every attempt of a stranger', async () => {
    const stranger = service.as('tenant-stranger');
    const before = contentsOf(service.databaseFile);
    await refusalOf(stranger.call('post', `${path()}/records`, record({})), 404, 'domain_not_found');
    await refusalOf(stranger.call('put', `${path()}/records/${id}`, { ttl: 1 }), 404, 'domain_not_found');
    await refusalOf(stranger.call('delete', `${path()}/records/${id}`), 404, 'domain_not_found');
    await refusalOf(stranger.call('put', path(), { ttl: 1 }), 404, 'domain_not_found');
    await refusalOf(stranger.call('delete', path()), 404, 'domain_not_found');
    await refusalOf(
      stranger.call('post', '/v1/domains', { name: domain.at('x'), email: 'a@example.org' }),
      400,
      'illegal_child',
    );
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });
});

describe('changes that arrive together', () => {
  it('are committed together and answered one by one', async () => {
    const domains = await Promise.all([1, 2, 3].map(() => newDomain(service)));
    const requests = Array.from({ length: 300 }, (_, at) => {
      const domain = domains[at % 3]!;
      // Every fifth is refused inside the unit of work: by its place, or as a duplicate of the one before it.
      const name = at % 10 === 4 ? 'elsewhere.example.net.' : domain.at(`h${String(at % 10 === 9 ? at - 3 : at)}`);
      return { at, domain, body: { name, type: 'A', data: '192.0.2.1' } };
    });
    const answers = await Promise.all(requests.map(({ domain, body }) => domain.create(body)));
    expect(answers.map(({ status }) => status)).toEqual(
      requests.map(({ at }) => (at % 10 === 4 ? 400 : at % 10 === 9 ? 409 : 200)),
    );
    for (const [at, { status, body }] of answers.entries())
      if (status === 200) expect(body).toMatchObject(requests[at]!.body);
    const stored = await Promise.all(domains.map((domain) => domain.records()));
    expect(stored.flat()).toHaveLength(240);
    const requestIds = answers
      .filter(({ status }) => status === 200)
      .map(({ headers }) => headers['x-openstack-request-id']);
    const journaled = domains
      .flatMap(({ id }) => journalOf(service.databaseFile, id))
      .filter(({ action }) => action === 'record.create');
    expect(journaled.map((entry) => entry.request_id).sort()).toEqual(requestIds.sort());
  });

  it('of a domain that is created and deleted meanwhile do not disturb others', async () => {
    const quiet = await newDomain(service);
    const answers = await Promise.all(
      Array.from({ length: 30 }, async (_, at) => {
        const body = { name: `brief${String(at)}.example.net.`, email: 'hostmaster@example.org' };
        const { id } = await bodyOf<DomainBody>(service.call('post', '/v1/domains', body));
        const [removed, created] = await Promise.all([
          service.call('delete', `/v1/domains/${id}`),
          quiet.create({ name: quiet.at(`h${String(at)}`), type: 'A', data: '192.0.2.1' }),
        ]);
        return [removed.status, created.status];
      }),
    );
    expect(answers).toEqual(answers.map(() => [200, 200]));
    expect(await quiet.records()).toHaveLength(30);
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
