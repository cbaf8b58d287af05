import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { audit, contentsOf } from '../support/audit.js';
import { bodyOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { startTestService, type TestService } from '../support/service.js';
import { address, BODIES, mx, REFUSED, type Sent, SHA1, STORED } from './attack-cases.js';

/** The list of hostile and unlucky input, sent as records of version 1. */

let service: TestService;
let domain: TestDomain;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
});

function inDomain({ name = 'www.@', ...record }: Sent): { name: string; type: unknown; data: unknown } {
  return { ...record, name: name.replace('@', domain.name) };
}

async function expectStored(sent: Sent): Promise<void> {
  const record = inDomain(sent);
  const created = await bodyOf(domain.create(record));
  expect(created).toMatchObject(record);
  expect(await bodyOf(domain.get(created.id))).toEqual(created);
  const { records } = await bodyOf<{ records: object[] }>(
    domain.list(`?name=${record.name}&type=${String(record.type)}`),
  );
  expect(records).toContainEqual(expect.objectContaining(record));
}

async function expectRefused(sent: Sent, status = 400): Promise<void> {
  const before = contentsOf(service.databaseFile);
  const { body } = await domain.create(inDomain(sent));
  expect(body).toMatchObject({ code: status });
  expect(contentsOf(service.databaseFile)).toEqual(before);
}

describe('input that is stored as it is', () => {
  it.each(STORED)('case %i: %s', async (_number, _what, records) => {
    for (const sent of records) await expectStored(sent);
  });
});

describe('input that is refused and leaves nothing', () => {
  it.each(REFUSED)('case %i: %s', async (_number, _what, records) => {
    for (const sent of records) await expectRefused(sent);
  });

  it.each(BODIES)('case 38: the body %.40j', async (body) => {
    const { id } = await bodyOf(domain.create(inDomain(address('www.@'))));
    const before = contentsOf(service.databaseFile);
    await refusalOf(domain.create(body), 400, 'invalid_object');
    await refusalOf(domain.update(id, body), 400, 'invalid_object');
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });
});

describe('sequences', () => {
  it('case 18: a name in another case is the same name', async () => {
    await expectStored(address('www.@'));
    await expectRefused({ ...address('www.@'), name: domain.at('WWW').toUpperCase() }, 409);
  });

  it('case 19: an address in another spelling is the same address, and reads back as it was sent first', async () => {
    await expectStored({ type: 'AAAA', data: '2001:db8::1' });
    await expectRefused({ type: 'AAAA', data: '2001:DB8:0::1' }, 409);
    await expectStored({ name: 'other.@', type: 'AAAA', data: '2001:DB8:0::1' });
  });

  it('case 24: a child domain keeps its names to itself', async () => {
    await newDomain(service, domain.at('child'));
    for (const name of ['child.@', 'www.child.@', '*.child.@', 'a.b.child.@']) await expectRefused(address(name));
    await expectStored(address('childless.@'));
  });

  it('case 25: a CNAME and others keep apart', async () => {
    await expectStored({ name: 'alias.@', type: 'CNAME', data: 'www.example.org.' });
    await expectRefused(address('alias.@'));
    await expectRefused({ name: 'alias.@', type: 'CNAME', data: 'other.example.org.' });
    await expectStored(address('addr.@'));
    await expectRefused({ name: 'addr.@', type: 'CNAME', data: 'www.example.org.' });
    await expectStored({ name: 'loop.@', type: 'CNAME', data: domain.at('loop') });
    await expectStored({ name: '*.@', type: 'CNAME', data: 'www.example.org.' });
  });

  it('case 27: a CNAME gives way to an address', async () => {
    const { id } = await bodyOf(domain.create({ name: domain.at('www'), type: 'CNAME', data: 'www.example.org.' }));
    await refusalOf(domain.update(id, { type: 'A', data: '192.0.2.1' }), 400, 'bad_request');
    await domain.delete(id).expect(200);
    await expectStored(address('www.@'));
  });

  it('case 29: a null MX next to another', async () => {
    await expectStored(mx(10));
    await expectRefused(mx(0, '.'));
    await expectStored({ ...mx(0, '.'), name: 'none.@' });
    await expectRefused({ ...mx(10), name: 'none.@' });
  });

  it('case 35: an update into an existing record is refused and leaves the original', async () => {
    await expectStored(address('www.@'));
    const other = await bodyOf(domain.create({ name: domain.at('other'), type: 'A', data: '192.0.2.2' }));
    const before = contentsOf(service.databaseFile);
    await refusalOf(domain.update(other.id, { name: domain.at('WWW'), data: '192.0.2.1' }), 409, 'duplicate_record');
    expect(contentsOf(service.databaseFile)).toEqual(before);
    expect(await bodyOf(domain.get(other.id))).toEqual(other);
  });

  it('case 36: an update without change moves no serial', async () => {
    const record = await bodyOf(domain.create(inDomain(address('www.@'))));
    const { serial } = await domain.now();
    for (const body of [{}, record, { data: record.data }]) await bodyOf(domain.update(record.id, body));
    expect((await domain.now()).serial).toBe(serial);
  });

  it('case 37: an update cannot touch identity', async () => {
    const record = await bodyOf(domain.create(inDomain(address('www.@'))));
    const id = '00000000-0000-4000-8000-000000000000';
    const body = {
      data: '192.0.2.9',
      id,
      domain_id: id,
      created_at: 'x',
      updated_at: 'x',
      tenant_id: 'thief',
      version: 99,
    };
    const updated = await bodyOf(domain.update(record.id, body));
    expect(updated).toEqual({ ...record, data: '192.0.2.9', updated_at: expect.stringMatching(/^\d{4}-/) });
    await refusalOf(
      service.as('thief').call('get', `/v1/domains/${domain.id}/records/${record.id}`),
      404,
      'domain_not_found',
    );
  });

  it.each([
    ['A', '192.0.2.1', null],
    ['AAAA', '2001:DB8::0:1', null],
    ['MX', 'Mail.Example.ORG.', 10],
    ['CNAME', 'WWW.example.org.', null],
    ['TXT', '"two" "strings; \\"escaped\\" \\195\\182"', null],
    ['SRV', '1 5060 SIP.example.org.', 10],
    ['NS', 'NS1.example.org.', null],
    ['PTR', 'a\\.b.example.org.', null],
    ['SPF', 'v=spf1 -all', null],
    ['SSHFP', `1 1 ${SHA1.toUpperCase()}`, null],
  ])('case 40: %s reads back octet for octet, and again after it was sent back', async (type, data, priority) => {
    const name = domain.at(type === 'SRV' ? '_Sip._TCP' : 'StAbLe');
    const sent = { name, type, data, priority, ttl: 10, description: 'ünïcödé' };
    const { id } = await bodyOf(domain.create(sent));
    const first = (await domain.get(id)).text;
    await bodyOf(domain.update(id, first));
    const second = await bodyOf(domain.get(id));
    expect(JSON.stringify({ ...second, updated_at: null })).toBe(first);
    expect(second).toMatchObject(sent);
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
