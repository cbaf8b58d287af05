import { afterAll, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, TIMESTAMP, UUID } from '../support/answers.js';
import { audit, contentsOf } from '../support/audit.js';
import type { HistoryBody } from '../support/bodies.js';
import { linesOfExport, newDomain, type TestDomain } from '../support/domain.js';
import { type RecordSetBody, RecordSets } from '../support/record-sets.js';
import { startTestService, type TestService } from '../support/service.js';
import { v2RefusalOf } from '../support/v2.js';

const NOWHERE = '00000000-0000-4000-8000-000000000000';
const NAME_SERVERS = ['ns1.provider.example.', 'ns2.provider.example.'];

let service: TestService;
let zone: TestDomain;
let sets: RecordSets;

beforeAll(async () => {
  service = await startTestService({ SERVICE_CENTRAL__NAME_SERVERS: NAME_SERVERS.join(',') });
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
  sets = new RecordSets(service, zone);
});

const serial = async (): Promise<number> => (await zone.now()).serial;
const dataOf = async (): Promise<string[]> => (await zone.records()).map(({ data }) => data);

/** Expects a refusal without any change. */
async function expectRefused(request: () => ReturnType<RecordSets['create']>, status: number, type: string) {
  const before = contentsOf(service.databaseFile);
  const refusal = await v2RefusalOf(request(), status, type);
  expect(contentsOf(service.databaseFile)).toEqual(before);
  return (refusal.errors?.errors ?? []).map(({ path }) => path);
}

describe('create', () => {
  it('13.2 answers 202 with the set, PENDING and CREATE; GET says ACTIVE and NONE', async () => {
    const name = sets.at('www');
    const sent = { name, type: 'A', records: ['192.0.2.1', '192.0.2.2'], ttl: 60, description: 'two' };
    const { body, headers } = await answerOf(sets.create(sent), 202);
    const self = `${service.url}${sets.path}/${String(body.id)}`;
    expect(body).toEqual({
      ...sent,
      id: expect.stringMatching(UUID),
      zone_id: zone.id,
      zone_name: zone.name,
      project_id: 'tenant-a',
      status: 'PENDING',
      action: 'CREATE',
      version: 1,
      created_at: expect.stringMatching(TIMESTAMP),
      updated_at: null,
      links: { self },
    });
    expect(headers).toMatchObject({ location: self });
    expect(headers).not.toHaveProperty('deprecation');
    expect(await sets.now(body as RecordSetBody)).toEqual({ ...body, status: 'ACTIVE', action: 'NONE' });
  });

  it('13.1 each value is a record of version 1, with the ttl and the description of the set', async () => {
    await sets.make({ records: ['192.0.2.1', '192.0.2.2'], ttl: 60, description: 'both' });
    const own = { name: sets.at('www'), type: 'A', priority: null, ttl: 60, description: 'both', version: 1 };
    expect(await zone.records()).toEqual([
      expect.objectContaining({ ...own, data: '192.0.2.1' }),
      expect.objectContaining({ ...own, data: '192.0.2.2' }),
    ]);
  });

  it.each([
    ['MX', '10 Mail.example.org.', { data: 'Mail.example.org.', priority: 10 }],
    ['TXT', 'hello world', { data: 'hello world', priority: null }],
    ['TXT', '"a" "b"', { data: '"a" "b"', priority: null }],
    ['CAA', '0 issue "ca.example.net"', { data: '0 issue "ca.example.net"', priority: null }],
  ])('13.2 the text of %s %j has the priority first, and comes back as it was sent', async (type, text, record) => {
    const set = await sets.make({ type, records: [text] });
    expect(set.records).toEqual([text]);
    expect((await sets.now(set)).records).toEqual([text]);
    expect(await zone.records()).toEqual([expect.objectContaining(record)]);
  });

  it('13.2 the same text twice is one record, and one value in two spellings is refused', async () => {
    expect((await sets.make({ records: ['192.0.2.1', '192.0.2.1'] })).records).toEqual(['192.0.2.1']);
    const twice = { name: sets.at('six'), type: 'AAAA', records: ['::1', '::2', '0:0::1'] };
    expect(await expectRefused(() => sets.create(twice), 400, 'invalid_object')).toEqual([['records', 2]]);
  });

  it('13.2 without records is 201 and ACTIVE, and is not published', async () => {
    const before = await serial();
    const set = await sets.make({ records: [], ttl: 60, description: 'later' });
    expect(set).toMatchObject({ records: [], ttl: 60, description: 'later', status: 'ACTIVE', action: 'NONE' });
    expect(await sets.now(set)).toEqual(set);
    expect((await sets.list()).metadata).toEqual({ total_count: 3 });
    expect(await zone.records()).toEqual([]);
    expect(await serial()).toBe(before);
    expect(await bodyOf(sets.create({ name: sets.at('none'), type: 'TXT' }), 201)).toMatchObject({ records: [] });
  });

  it('3.4 an existing set is 409 with any contents; a CNAME and the apex NS too', async () => {
    await sets.make();
    await sets.make({ name: sets.at('empty'), records: [] });
    for (const label of ['www', 'WWW', 'empty'])
      await expectRefused(
        () => sets.create({ name: sets.at(label), type: 'A', records: ['192.0.2.9'] }),
        409,
        'duplicate_recordset',
      );
    const ns = { name: zone.name, type: 'NS', records: ['ns.example.net.'] };
    await expectRefused(() => sets.create(ns), 409, 'duplicate_recordset');
    const alias = { name: sets.at('alias'), type: 'CNAME', records: ['www.example.org.'] };
    await sets.make(alias);
    await expectRefused(() => sets.create(alias), 400, 'invalid_recordset_location');
  });

  it.each<[string, string, string, object]>([
    ['SOA', 'bad_request', 'soa', { type: 'SOA', records: ['a. b. 1 2 3 4 5'] }],
    ['two CNAMEs', 'bad_request', 'alias', { type: 'CNAME', records: ['a.example.org.', 'b.example.org.'] }],
    ['an unknown type', 'invalid_object', 'www', { type: 'a', records: ['192.0.2.1'] }],
    ['an unknown type without records', 'invalid_object', 'www', { type: 'a' }],
    ['NS at a wildcard', 'invalid_object', '*', { type: 'NS', records: ['ns.example.org.'] }],
    ['text that ends with a backslash', 'invalid_object', 'www', { type: 'TXT', records: ['\\\\'] }],
    ['a bad name without records', 'invalid_object', 'a b', { type: 'A' }],
    ['an SRV name', 'invalid_object', 'www', { type: 'SRV', records: ['0 0 5060 sip.example.org.'] }],
    ['no priority', 'invalid_object', 'www', { type: 'MX', records: ['mail.example.org.'] }],
    ['a priority with a leading zero', 'invalid_object', 'www', { type: 'MX', records: ['010 mail.example.org.'] }],
    ['two blanks', 'invalid_object', 'www', { type: 'MX', records: ['10  mail.example.org.'] }],
    ['a read-only field', 'invalid_object', 'www', { type: 'A', records: ['192.0.2.1'], id: NOWHERE }],
    ['a ttl below 0', 'invalid_object', 'www', { type: 'A', records: ['192.0.2.1'], ttl: -1 }],
    ['a ttl as text', 'invalid_object', 'www', { type: 'A', records: ['192.0.2.1'], ttl: '60' }],
    ['records that are no list', 'invalid_object', 'www', { type: 'A', records: '192.0.2.1' }],
    ['records of null', 'invalid_object', 'www', { type: 'A', records: null }],
    ['a record that is no text', 'invalid_object', 'www', { type: 'A', records: [1] }],
    ['a list in the list', 'invalid_object', 'www', { type: 'A', records: [['192.0.2.1']] }],
    [
      'a name outside',
      'invalid_recordset_location',
      'outside',
      { name: 'www.example.com.', type: 'A', records: ['192.0.2.1'] },
    ],
    [
      'a name outside without records',
      'invalid_recordset_location',
      'outside',
      { name: 'www.example.com.', type: 'A' },
    ],
  ])('4.3 to 5.8 %s is 400', async (_what, type, label, fields) => {
    await expectRefused(() => sets.create({ name: sets.at(label), ...fields }), 400, type);
  });

  it('2.1 each bad record is named by its place', async () => {
    const body = { name: sets.at('www'), type: 'A', records: ['192.0.2.1', 'x', '192.0.2.2', 'y'] };
    const paths = await expectRefused(() => sets.create(body), 400, 'invalid_object');
    expect(paths).toEqual([
      ['records', 1],
      ['records', 3],
    ]);
  });

  it('8.3 quotas count records and sets, the empty ones too', async () => {
    const tenant = `tenant-${zone.id.slice(0, 8)}`;
    const small = await startTestService({
      DEFAULT__QUOTA_ZONE_RECORDSETS: '2',
      DEFAULT__QUOTA_RECORDSET_RECORDS: '2',
    });
    try {
      const own = await newDomain(small.as(tenant));
      const ours = new RecordSets(small.as(tenant), own);
      const three = ['192.0.2.1', '192.0.2.2', '192.0.2.3'];
      await v2RefusalOf(ours.create({ name: ours.at('a'), type: 'A', records: three }), 413, 'over_quota');
      const { id } = await ours.make({ name: ours.at('a'), records: [] });
      await ours.make({ name: ours.at('b') });
      await v2RefusalOf(ours.create({ name: ours.at('c'), type: 'A' }), 413, 'over_quota');
      await v2RefusalOf(ours.create({ name: ours.at('b'), type: 'A' }), 413, 'over_quota');
      await v2RefusalOf(ours.update(id, { records: three }), 413, 'over_quota');
      await answerOf(ours.delete(id), 202);
      await ours.make({ name: ours.at('c') });
      audit(small.databaseFile);
    } finally {
      await small.stop();
    }
  });
});

describe('get', () => {
  it('13.2 is found by any spelling of the id; an invalid UUID is 400', async () => {
    const set = await sets.make();
    const now = await sets.now(set);
    for (const id of [set.id.toUpperCase(), set.id.replaceAll('-', '')])
      expect(await bodyOf(sets.get(id))).toEqual(now);
    await v2RefusalOf(sets.get('www'), 400, 'invalid_uuid');
    await v2RefusalOf(service.call('get', `/v2/zones/x/recordsets/${set.id}`), 400, 'invalid_uuid');
  });

  it('3.2 another zone’s, another project’s and none are 404', async () => {
    const set = await sets.make();
    const others = new RecordSets(service, await newDomain(service));
    await v2RefusalOf(others.get(set.id), 404, 'recordset_not_found');
    await v2RefusalOf(sets.get(NOWHERE), 404, 'recordset_not_found');
    const stranger = new RecordSets(service.as('tenant-b'), zone);
    for (const request of [
      stranger.get(set.id),
      stranger.delete(set.id),
      stranger.update(set.id, {}),
      stranger.fetchList(),
    ])
      await v2RefusalOf(request, 404, 'zone_not_found');
    await v2RefusalOf(
      stranger.create({ name: sets.at('x'), type: 'A', records: ['192.0.2.1'] }),
      404,
      'zone_not_found',
    );
  });

  it('13.2 /v2/recordsets/<id> leads to the set, of the caller alone', async () => {
    const { id } = await sets.make();
    const [soa] = (await sets.list()).recordsets;
    for (const one of [id, soa!.id]) {
      const { headers } = await answerOf(service.call('get', `/v2/recordsets/${one}`), 301);
      expect(headers.location).toBe(`${service.url}${sets.path}/${one}`);
      expect(headers).not.toHaveProperty('content-type');
      await v2RefusalOf(service.as('tenant-b').call('get', `/v2/recordsets/${one}`), 404, 'recordset_not_found');
    }
    await v2RefusalOf(service.call('get', `/v2/recordsets/${NOWHERE}`), 404, 'recordset_not_found');
    await v2RefusalOf(service.call('get', `/v2/recordsets/${zone.id}`), 404, 'recordset_not_found');
  });

  it('13.2 keeps its id while version 1 changes its records, and has the lowest ttl', async () => {
    const first = await zone.newRecord({ ttl: 300, description: 'first' });
    const [set] = await sets.all();
    expect(set).toMatchObject({ records: ['192.0.2.3'], ttl: 300, description: 'first', version: 1 });
    const second = await zone.newRecord({ data: '192.0.2.4', ttl: 60 });
    await answerOf(zone.update(first.id, { data: '192.0.2.5' }));
    const later = await sets.now(set!);
    expect(later).toMatchObject({ id: set!.id, records: ['192.0.2.5', '192.0.2.4'], ttl: 60, description: 'first' });
    expect(later.version).toBeGreaterThan(set!.version);
    await answerOf(zone.delete(first.id));
    expect(await sets.now(set!)).toMatchObject({ records: ['192.0.2.4'], ttl: 60, description: null });
    await answerOf(zone.delete(second.id));
    await v2RefusalOf(sets.get(set!.id), 404, 'recordset_not_found');
  });
});

describe('update', () => {
  it('13.2 answers 202 with the set, PENDING and UPDATE; omitted fields stay', async () => {
    const set = await sets.make({ ttl: 60, description: 'text' });
    const { body } = await answerOf(sets.update(set.id, { records: ['192.0.2.3', '192.0.2.4'] }), 202);
    expect(body).toMatchObject({
      ...set,
      action: 'UPDATE',
      records: ['192.0.2.3', '192.0.2.4'],
      version: 2,
      updated_at: expect.stringMatching(TIMESTAMP),
    });
    expect(await sets.now(set)).toEqual({ ...body, status: 'ACTIVE', action: 'NONE' });
    const described = await bodyOf<RecordSetBody>(sets.update(set.id, { description: null, ttl: null }), 202);
    expect(described).toMatchObject({ records: ['192.0.2.3', '192.0.2.4'], ttl: null, description: null });
  });

  it('13.2 a new ttl is given to each record; the values that stay keep their ids', async () => {
    const kept = await zone.newRecord({ ttl: 300 });
    await zone.newRecord({ data: '192.0.2.4', ttl: 600 });
    const [set] = await sets.all();
    await answerOf(sets.update(set!.id, { ttl: 900, records: ['192.0.2.5', '192.0.2.3'] }), 202);
    const records = await zone.records();
    expect(records.map(({ data, ttl }) => [data, ttl])).toEqual([
      ['192.0.2.3', 900],
      ['192.0.2.5', 900],
    ]);
    expect(records[0]).toMatchObject({ id: kept.id, created_at: kept.created_at });
  });

  it('13.2 the ttl that is shown stays when the record that had it goes', async () => {
    await zone.newRecord({ ttl: 60, description: 'x' });
    await zone.newRecord({ data: '192.0.2.4', ttl: 600, description: 'y' });
    const [set] = await sets.all();
    expect(await bodyOf(sets.update(set!.id, { records: ['192.0.2.4'] }), 202)).toMatchObject({
      ttl: 60,
      description: 'x',
    });
    expect(await zone.records()).toEqual([expect.objectContaining({ data: '192.0.2.4', ttl: 60, description: 'x' })]);
  });

  it('13.2 another spelling of a value replaces its text', async () => {
    const set = await sets.make({ type: 'AAAA', records: ['2001:db8::1'] });
    const [before] = await zone.records();
    expect(await bodyOf(sets.update(set.id, { records: ['2001:DB8:0::1'] }), 202)).toMatchObject({
      records: ['2001:DB8:0::1'],
    });
    expect(await zone.records()).toEqual([expect.objectContaining({ id: before!.id, data: '2001:DB8:0::1' })]);
  });

  it('13.2 no records leave the set as it is, 200 and ACTIVE, and it is not served', async () => {
    const set = await sets.make({ ttl: 60, description: 'text' });
    const { body } = await answerOf(sets.update(set.id, { records: [] }), 200);
    expect(body).toMatchObject({
      id: set.id,
      records: [],
      ttl: 60,
      description: 'text',
      status: 'ACTIVE',
      action: 'NONE',
    });
    expect(linesOfExport(await zone.export()).some((line) => line.startsWith('www.'))).toBe(false);
    expect(await zone.records()).toEqual([]);
    const before = await serial();
    expect(await bodyOf(sets.update(set.id, { ttl: 90, records: [] }), 200)).toMatchObject({
      ttl: 90,
      description: 'text',
    });
    expect(await serial()).toBe(before);
    const again = await bodyOf<RecordSetBody>(sets.update(set.id, { records: ['192.0.2.9'] }), 202);
    expect(again).toMatchObject({ id: set.id, records: ['192.0.2.9'], ttl: 90, description: 'text' });
    expect(await zone.records()).toEqual([
      expect.objectContaining({ data: '192.0.2.9', ttl: 90, description: 'text' }),
    ]);
  });

  it('13.2 an empty set conflicts with no record, and version 1 may add records to it', async () => {
    const { id } = await sets.make({ records: [], ttl: 60 });
    const alias = await sets.make({ type: 'CNAME', records: ['a.example.org.'] });
    await expectRefused(() => sets.update(id, { records: ['192.0.2.1'] }), 400, 'invalid_recordset_location');
    await answerOf(sets.delete(alias.id), 202);
    await zone.newRecord({ ttl: 600 });
    expect(await bodyOf(sets.get(id))).toMatchObject({ records: ['192.0.2.3'], ttl: 600 });
    const replace = { action: 'replace', name: sets.at('www'), type: 'A', records: [] };
    await answerOf(service.call('post', `/v1/domains/${zone.id}/changes`, { changes: [replace] }));
    await v2RefusalOf(sets.get(id), 404, 'recordset_not_found');
    const empty = await sets.make({ records: [] });
    await answerOf(service.call('post', `/v1/domains/${zone.id}/changes`, { changes: [replace] }));
    await v2RefusalOf(sets.get(empty.id), 404, 'recordset_not_found');
    audit(service.databaseFile);
  });

  it('13.2 a set sent back as it was read changes nothing', async () => {
    await zone.newRecord({ ttl: 300, description: 'one' });
    await zone.newRecord({ data: '192.0.2.4', ttl: 60 });
    const [set] = await sets.all();
    const before = contentsOf(service.databaseFile);
    const { name, type, records, ttl, description } = set!;
    for (const body of [{}, { records }, { name, type, records, ttl, description }])
      expect(await bodyOf(sets.update(set!.id, body), 202)).toMatchObject({
        records,
        ttl,
        description,
        version: set!.version,
      });
    expect(contentsOf(service.databaseFile)).toEqual(before);
  });

  it('13.2 text that ends with a backslash stays, and does not come without quotes', async () => {
    await zone.newRecord({ type: 'TXT', data: 'a\\\\' });
    const [set] = await sets.all();
    expect(set!.records).toEqual(['a\\\\']);
    const version = await serial();
    await answerOf(sets.update(set!.id, { records: set!.records }), 202);
    expect(await serial()).toBe(version);
    await expectRefused(() => sets.update(set!.id, { records: ['b\\\\'] }), 400, 'invalid_object');
    await answerOf(sets.update(set!.id, { records: ['"b\\\\"'] }), 202);
  });

  it('6.2 neither name nor type becomes another, and PATCH is 405', async () => {
    const { id } = await sets.make();
    await expectRefused(() => sets.update(id, { name: sets.at('other') }), 400, 'invalid_object');
    await expectRefused(() => sets.update(id, { type: 'AAAA' }), 400, 'invalid_object');
    await answerOf(sets.update(id, { name: sets.at('WWW'), type: 'A' }), 202);
    await v2RefusalOf(service.call('patch', `${sets.path}/${id}`, {}), 405, 'method_not_allowed');
    await expectRefused(() => sets.update(NOWHERE, { ttl: 60 }), 404, 'recordset_not_found');
  });
});

describe('delete', () => {
  it('13.3 answers 202 with the set, PENDING and DELETE, and then it is 404', async () => {
    const set = await sets.make({ records: ['192.0.2.1', '192.0.2.2'], ttl: 60 });
    const body = await bodyOf(sets.delete(set.id), 202);
    expect(body).toEqual({ ...set, action: 'DELETE' });
    await v2RefusalOf(sets.get(set.id), 404, 'recordset_not_found');
    await v2RefusalOf(sets.delete(set.id), 404, 'recordset_not_found');
    expect(await zone.records()).toEqual([]);
    const { history } = await bodyOf<HistoryBody>(service.call('get', `/v1/domains/${zone.id}/history`));
    expect(history.slice(0, 2).map(({ action }) => action)).toEqual(['record.delete', 'record.delete']);
    const empty = await sets.make({ records: [] });
    await answerOf(sets.delete(empty.id), 202);
    expect((await sets.list()).metadata).toEqual({ total_count: 2 });
  });
});

describe('managed record sets', () => {
  it('13.4 SOA and NS of the apex are listed first, with ids that stay', async () => {
    const { recordsets, metadata } = await sets.list();
    expect(metadata).toEqual({ total_count: 2 });
    const { serial: now } = await zone.now();
    const own = {
      zone_id: zone.id,
      zone_name: zone.name,
      name: zone.name,
      ttl: null,
      description: null,
      status: 'ACTIVE',
      managed: true,
    };
    const soa = `${NAME_SERVERS[0]!} hostmaster.example.org. ${String(now)} 3600 600 1209600 3600`;
    expect(recordsets).toEqual([
      expect.objectContaining({ ...own, type: 'SOA', records: [soa] }),
      expect.objectContaining({ ...own, type: 'NS', records: NAME_SERVERS }),
    ]);
    for (const set of recordsets) expect(await sets.now(set)).toEqual(set);
    await zone.newRecord();
    const later = await sets.list();
    expect(later.recordsets.slice(0, 2).map(({ id }) => id)).toEqual(recordsets.map(({ id }) => id));
    expect(later.recordsets[0]!.records[0]).toContain(String((await zone.now()).serial));
  });

  it('13.4 apex NS records added by version 1 are shown with the generated ones, once', async () => {
    await zone.newRecord({ name: zone.name, type: 'NS', data: 'ns.example.net.', ttl: 60 });
    await zone.newRecord({ name: zone.name, type: 'NS', data: 'NS1.provider.example.' });
    const { recordsets, metadata } = await sets.list();
    expect(recordsets.map(({ type, records, ttl }) => [type, records.slice(0, 3), ttl])).toEqual([
      ['SOA', [expect.anything()], null],
      ['NS', [...NAME_SERVERS, 'ns.example.net.'], 60],
    ]);
    expect(metadata).toEqual({ total_count: 2 });
    const found = await sets.list('?type=NS&name=*');
    expect(found.recordsets).toEqual([recordsets[1]]);
  });

  it('13.4 they cannot be changed or deleted', async () => {
    const { recordsets } = await sets.list();
    for (const { id, records } of recordsets) {
      await expectRefused(() => sets.update(id, { records }), 400, 'bad_request');
      await expectRefused(() => sets.update(id, { ttl: 60 }), 400, 'bad_request');
      await expectRefused(() => sets.delete(id), 400, 'bad_request');
    }
  });

  it('13.4 an admin who edits them adds name servers, and removes no generated ones', async () => {
    const [soa, ns] = (await sets.list()).recordsets;
    const edit = (id: string, body: object) => sets.update(id, body).set('X-Designate-Edit-Managed-Records', 'true');
    const records = [...ns!.records, 'ns.example.net.'];
    expect(await bodyOf(edit(ns!.id, { records, ttl: 60 }), 202)).toMatchObject({ records, ttl: 60 });
    expect(await dataOf()).toEqual(['ns.example.net.']);
    await expectRefused(() => edit(ns!.id, { records: ['ns.example.net.'] }), 400, 'bad_request');
    await expectRefused(() => edit(soa!.id, { records: soa!.records }), 400, 'bad_request');
    expect(await bodyOf(edit(ns!.id, { records: ns!.records }), 202)).toMatchObject({ records: ns!.records });
    expect(await dataOf()).toEqual([]);
  });
});

it('leaves the database consistent', () => audit(service.databaseFile));
