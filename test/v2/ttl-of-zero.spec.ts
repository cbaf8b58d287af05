import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { MetaType } from '../../src/dns/message/codes.js';
import { bodyOf, refusalOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { DomainBody, RecordBody } from '../support/bodies.js';
import { domainOf, linesOfExport, type TestDomain } from '../support/domain.js';
import { query } from '../support/messages.js';
import { freePort } from '../support/name-servers/name-servers.js';
import { RecordSets } from '../support/record-sets.js';
import { startTestService, type TestService } from '../support/service.js';
import { transfer } from '../support/transfers.js';
import { newZone, v2RefusalOf, type ZoneBody } from '../support/v2.js';

let service: TestService;
let port: number;
let zone: ZoneBody;
let sets: RecordSets;
let domain: TestDomain;

beforeAll(async () => {
  port = await freePort();
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: `127.0.0.1:${port}`,
    SERVICE_MDNS__ALLOW_TRANSFER: '127.0.0.1',
    SERVICE_CENTRAL__NAME_SERVERS: 'ns1.provider.example.',
  });
  // The name that the queries of the tests ask for.
  zone = await newZone(service, 'example.org.');
  sets = new RecordSets(service, zone);
  domain = domainOf(service, await bodyOf<DomainBody>(service.call('get', `/v1/domains/${zone.id}`)));
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

/** TTL by owner and type, as a name server gets the zone. */
async function servedTtls(): Promise<Record<string, number>> {
  const { records } = await transfer(port, query(MetaType.AXFR));
  return Object.fromEntries(records.map(({ owner, type, ttl }) => [`${owner.toString()} ${type}`, ttl]));
}

const A = 1;
const SOA = 6;

describe('13.2 a ttl of 0', () => {
  it('13.2, 4.6 is kept, listed, and served', async () => {
    const set = await sets.make({ name: sets.at('zero'), ttl: 0, records: ['192.0.2.1', '192.0.2.2'] });
    expect(set.ttl).toBe(0);
    expect((await sets.now(set)).ttl).toBe(0);
    expect((await sets.list('?ttl=0')).recordsets.map(({ id }) => id)).toEqual([set.id]);
    expect(linesOfExport(await domain.export())).toContain(`${sets.at('zero')} 0 A 192.0.2.1`);
    expect((await servedTtls())[`${sets.at('zero')} ${A}`]).toBe(0);
    const changed = await bodyOf(sets.update(set.id, { ttl: 60 }), 202);
    expect(changed).toMatchObject({ ttl: 60 });
    const zeroAgain = await bodyOf(sets.update(set.id, { ttl: 0 }), 202);
    expect(zeroAgain).toMatchObject({ ttl: 0 });
    const none = await bodyOf(sets.update(set.id, { ttl: null }), 202);
    expect(none).toMatchObject({ ttl: null });
  });

  it('13.2 is the ttl of a set that has no records yet', async () => {
    const set = await sets.make({ name: sets.at('empty'), ttl: 0, records: [] });
    expect(set.ttl).toBe(0);
    expect(await bodyOf(sets.update(set.id, { records: ['192.0.2.1'] }), 202)).toMatchObject({ ttl: 0 });
    expect((await servedTtls())[`${sets.at('empty')} ${A}`]).toBe(0);
  });

  it('13.2 of a zone applies to its SOA and to record sets without a ttl', async () => {
    const before = await bodyOf<ZoneBody>(service.call('get', `/v2/zones/${zone.id}`));
    await bodyOf(service.call('patch', `/v2/zones/${zone.id}`, { ttl: 0 }), 202);
    await sets.make({ name: sets.at('follows') });
    const ttls = await servedTtls();
    expect([ttls[`${zone.name} ${SOA}`], ttls[`${sets.at('follows')} ${A}`]]).toEqual([0, 0]);
    const shown = await domain.now();
    expect(shown.ttl).toBe(0);
    const back = await bodyOf<DomainBody>(service.call('put', `/v1/domains/${zone.id}`, { ...shown }));
    expect(back).toMatchObject({ ttl: 0, serial: shown.serial });
    await bodyOf(service.call('patch', `/v2/zones/${zone.id}`, { ttl: before.ttl }), 202);
    await refusalOf(service.call('put', `/v1/domains/${zone.id}`, { ttl: 0 }), 400, 'invalid_object');
  });
});

describe('4.4 version 1', () => {
  const put = (id: string, fields: object) => domain.update(id, fields);
  const change = (changes: readonly object[]) => service.call('post', `/v1/domains/${domain.id}/changes`, { changes });

  it('4.1, 4.4 shows a ttl of 0, accepts it back, and applies it to nothing else', async () => {
    await sets.make({ name: sets.at('shown'), ttl: 0 });
    const [record] = (await domain.records()).filter(({ name }) => name === sets.at('shown'));
    expect(record?.ttl).toBe(0);
    const { id } = record as RecordBody;
    expect(await bodyOf(put(id, { ...record }))).toMatchObject({ ttl: 0, data: '192.0.2.3' });
    expect(await bodyOf(put(id, { ttl: 0, data: '192.0.2.4' }))).toMatchObject({ ttl: 0, data: '192.0.2.4' });
    const entry = { action: 'update', id, record: { ttl: 0, data: '192.0.2.5' } };
    await bodyOf(change([entry]));
    await bodyOf(
      change([{ action: 'replace', name: record?.name, type: 'A', records: [{ ttl: 0, data: '192.0.2.5' }] }]),
    );

    await bodyOf(put(id, { ttl: 60 }));
    const { errors } = await refusalOf(put(id, { ttl: 0 }), 400, 'invalid_object');
    expect(errors).toMatchObject([{ path: 'ttl', validator: 'minimum', message: 'ttl must not be less than 1.' }]);
    const inSet = await refusalOf(change([entry]), 400, 'invalid_object');
    expect(inSet.errors).toMatchObject([{ path: 'changes[0].record.ttl', validator: 'minimum' }]);
    const replacement = { action: 'replace', name: record?.name, type: 'A', records: [{ ttl: 0, data: '192.0.2.5' }] };
    const inReplacement = await refusalOf(change([replacement]), 400, 'invalid_object');
    expect(inReplacement.errors).toMatchObject([{ path: 'changes[0].records', validator: 'minimum' }]);
    const created = { name: sets.at('fresh'), type: 'A', data: '192.0.2.1', ttl: 0 };
    await refusalOf(domain.create(created), 400, 'invalid_object');
    await refusalOf(change([{ action: 'create', record: created }]), 400, 'invalid_object');
  });

  it('11.3 restores records with a ttl of 0', async () => {
    const set = await sets.make({ name: sets.at('reverted'), ttl: 0 });
    const { serial } = await domain.now();
    await bodyOf(sets.delete(set.id), 202);
    await bodyOf(service.call('post', `/v1/domains/${domain.id}/revert`, { serial }));
    expect((await domain.records()).find(({ name }) => name === sets.at('reverted'))?.ttl).toBe(0);
  });

  it('15.4, 15.6 is written into zone files, and read from them', async () => {
    const serial = (await domain.now()).serial;
    const file = await domain.export();
    expect(await domain.import(file, '?mode=replace')).toMatchObject({ created: 0, updated: 0, removed: 0 });
    expect((await domain.now()).serial).toBe(serial);
    await domain.import('read 0 IN A 192.0.2.7\n');
    expect((await domain.records()).find(({ name }) => name === sets.at('read'))?.ttl).toBe(0);
    expect((await servedTtls())[`${sets.at('read')} ${A}`]).toBe(0);
  });
});

it('4.4 is below a configured minimum, as in version 1', async () => {
  const strict = await startTestService({ SERVICE_CENTRAL__MIN_TTL: '60' });
  const member = strict.as('acme');
  const own = await newZone(member, 'example.net.');
  const refused = new RecordSets(member, own).create({
    name: `www.${own.name}`,
    type: 'A',
    records: ['192.0.2.1'],
    ttl: 0,
  });
  await v2RefusalOf(refused, 400, 'invalid_ttl');
  await strict.stop();
});
