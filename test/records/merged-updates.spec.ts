import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { bodyOf, refusalOf } from '../support/answers.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { audit, contentsOf } from '../support/audit.js';
import { journalOf } from '../support/journal.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let domain: TestDomain;
let record: RecordBody;

beforeAll(async () => {
  service = await startTestService();
});
afterAll(() => service.stop());
beforeEach(async () => {
  domain = await newDomain(service);
  const mx = {
    name: domain.at('mail'),
    type: 'MX',
    data: 'one.example.org.',
    priority: 10,
    ttl: 300,
    description: 'first',
  };
  record = await bodyOf(domain.create(mx));
});

async function versionOf(id: string): Promise<number | undefined> {
  return (await domain.records()).find((listed) => listed.id === id)?.version;
}

describe('merging', () => {
  it.each([
    ['name', 'other.DOMAIN'],
    ['data', 'two.example.org.'],
    ['priority', 20],
    ['ttl', 600],
    ['description', 'second'],
  ])('6.2 changes %s and keeps omitted fields', async (field, text) => {
    const value = typeof text === 'string' ? text.replace('DOMAIN', domain.name) : text;
    const updated = await bodyOf(domain.update(record.id, { [field]: value }));
    expect(updated).toEqual({ ...record, [field]: value, updated_at: expect.any(String) });
    expect(await bodyOf(domain.get(record.id))).toEqual(updated);
  });

  it('6.2 null clears ttl and description', async () => {
    const updated = await bodyOf(domain.update(record.id, { ttl: null, description: null }));
    expect(updated).toEqual({ ...record, ttl: null, description: null, updated_at: expect.any(String) });
  });

  it.each(['name', 'type', 'data'])('6.2 null clears no %s', async (field) => {
    const { errors } = await refusalOf(domain.update(record.id, { [field]: null }), 400, 'invalid_object');
    expect(errors).toMatchObject([{ path: field, validator: 'type' }]);
  });

  it('6.2 null clears no priority where the type needs one', async () => {
    const { errors } = await refusalOf(domain.update(record.id, { priority: null }), 400, 'invalid_object');
    expect(errors).toMatchObject([{ path: 'priority', validator: 'required' }]);
  });

  it('6.2 accepts a fetched record back, and returns it unchanged', async () => {
    const fetched = await bodyOf(domain.get(record.id));
    const updated = await bodyOf(domain.update(record.id, fetched));
    expect(updated).toEqual({ ...fetched, updated_at: expect.any(String) });
    const [listed] = await domain.records();
    await bodyOf(domain.update(record.id, listed));
  });

  it('6.2 ignores identity fields that say something else', async () => {
    const alien = '00000000-0000-4000-8000-000000000000';
    const identity = { id: alien, domain_id: alien, tenant_id: 'thief', version: 99, created_at: 'x', updated_at: 'y' };
    const updated = await bodyOf(domain.update(record.id, identity));
    expect(updated).toEqual({ ...record, updated_at: expect.stringMatching(/^\d{4}-/) });
    expect(await domain.records()).toMatchObject([{ id: record.id, tenant_id: 'tenant-a', version: 2 }]);
  });

  it('6.2 the type cannot change, and may be repeated', async () => {
    await refusalOf(domain.update(record.id, { type: 'A', data: '192.0.2.1', priority: null }), 400, 'bad_request');
    await refusalOf(domain.update(record.id, { type: 'SOA' }), 400, 'bad_request');
    await refusalOf(domain.update(record.id, { type: 'mx' }), 400, 'bad_request');
    await bodyOf(domain.update(record.id, { type: 'MX' }));
  });

  it('6.2 renames this one record', async () => {
    const sibling = await bodyOf(
      domain.create({ name: record.name, type: 'MX', data: 'two.example.org.', priority: 10 }),
    );
    const name = domain.at('renamed');
    expect(await bodyOf(domain.update(record.id, { name }))).toMatchObject({ name });
    expect(await bodyOf(domain.get(sibling.id))).toEqual(sibling);
    await bodyOf(domain.update(record.id, { name: record.name.toUpperCase() }));
  });

  it('6.3 derives no field from another', async () => {
    expect(await bodyOf(domain.update(record.id, { data: 'two.example.org.' }))).toMatchObject({ priority: 10 });
    expect(await bodyOf(domain.update(record.id, { priority: 30 }))).toMatchObject({ data: 'two.example.org.' });
    const name = domain.at('_sip._tcp');
    const srv = await bodyOf(domain.create({ name, type: 'SRV', data: '5 5060 sip.example.org.', priority: 10 }));
    const updated = await bodyOf(domain.update(srv.id, { data: '7 5061 sip2.example.org.' }));
    expect(updated).toEqual({ ...srv, data: '7 5061 sip2.example.org.', updated_at: expect.any(String) });
  });
});

describe('a PUT that renames', () => {
  it.each<[string, () => object]>([
    ['{}', () => ({})],
    ['the same values', () => ({ data: record.data, ttl: record.ttl, priority: record.priority })],
    ['ignored fields', () => ({ version: 7, created_at: 'x' })],
  ])('6.2, 1.15 %s: the first version and updated_at, not the serial and not the journal', async (_, fieldsOf) => {
    const { serial } = await domain.now();
    const journal = journalOf(service.databaseFile, domain.id);
    const first = await bodyOf(domain.update(record.id, fieldsOf()));
    expect(first.updated_at).not.toBeNull();
    expect(await bodyOf(domain.update(record.id, fieldsOf()))).toEqual(first);
    expect(await versionOf(record.id)).toBe(2);
    expect((await domain.now()).serial).toBe(serial);
    expect(journalOf(service.databaseFile, domain.id)).toEqual(journal);
  });

  it.each([
    ['the description', { description: 'seen in the API only' }],
    ['the ttl', { ttl: 60 }],
    ['the spelling of data', { data: 'ONE.example.org.' }],
  ])('6.2 a change of %s: serial and journal too', async (_, fields) => {
    const { serial } = await domain.now();
    await bodyOf(domain.update(record.id, fields));
    expect((await domain.now()).serial).toBeGreaterThan(serial);
    const [entry] = journalOf(service.databaseFile, domain.id).slice(-1);
    expect(entry).toMatchObject({ action: 'record.update', after: fields });
  });
});

describe('refusals', () => {
  it.each<[string, object, number, string]>([
    ['data of the wrong form', { data: 'one.example.org' }, 400, 'invalid_object'],
    ['a ttl out of range', { ttl: 0 }, 400, 'invalid_object'],
    ['a priority of the wrong type', { priority: '10' }, 400, 'invalid_object'],
    ['an unknown field', { colour: 'red' }, 400, 'invalid_object'],
    ['a valid field with an invalid one', { ttl: 60, data: '' }, 400, 'invalid_object'],
    ['a name outside the domain', { name: 'www.example.net.' }, 400, 'invalid_recordset_location'],
    ['another type', { type: 'A' }, 400, 'bad_request'],
    ['a null MX next to another MX', { data: '.' }, 400, 'invalid_recordset_location'],
    ['the value of another record', { data: 'TWO.example.org.', ttl: 60 }, 409, 'duplicate_record'],
  ])('6.2 stores nothing for %s', async (_, fields, status, type) => {
    await bodyOf(domain.create({ name: record.name, type: 'MX', data: 'two.example.org.', priority: 10 }));
    const before = contentsOf(service.databaseFile);
    await refusalOf(domain.update(record.id, fields), status, type);
    expect(contentsOf(service.databaseFile)).toEqual(before);
    expect(await bodyOf(domain.get(record.id))).toEqual(record);
  });

  it('6.2 the rules of a new record hold for the merged one', async () => {
    await bodyOf(domain.create({ name: domain.at('alias'), type: 'CNAME', data: 'www.example.org.' }));
    await refusalOf(domain.update(record.id, { name: domain.at('alias') }), 400, 'invalid_recordset_location');
    const srv = { name: domain.at('_sip._tcp'), type: 'SRV', data: '5 5060 sip.example.org.', priority: 1 };
    const { id } = await bodyOf(domain.create(srv));
    await refusalOf(domain.update(id, { name: domain.at('sip') }), 400, 'invalid_object');
  });

  it('a missing record is 404', async () => {
    const other = await newDomain(service);
    await refusalOf(other.update(record.id, {}), 404, 'record_not_found');
    await refusalOf(domain.update('00000000-0000-4000-8000-000000000000', {}), 404, 'record_not_found');
    await refusalOf(domain.update('no-id', {}), 404, 'record_not_found');
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
