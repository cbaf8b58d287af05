import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import { audit } from '../support/audit.js';
import type { RecordBody } from '../support/bodies.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { PowerDnsClient, records, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { type RecordSetBody, RecordSets } from '../support/record-sets.js';
import type { Client } from '../support/service.js';
import { add, remove, startUpdateService, type UpdateService, type Updater } from '../support/updates.js';

const NOTE = 'the note of a set';
const EXPIRY = '2090-01-01T00:00:00.000000';

let service: UpdateService;
let guest: Client;
let updater: Updater;
let powerdns: PowerDnsClient;
let zone: TestDomain;
let sets: RecordSets;

beforeAll(async () => {
  service = await startUpdateService({ ...WITH_POWERDNS, SERVICE_API__EXPIRING_RECORDS: 'True' });
  guest = service.as('tenant-g');
  updater = await service.newUpdater();
  powerdns = new PowerDnsClient(service);
});
afterAll(() => service.stop());
beforeEach(async () => {
  zone = await newDomain(service);
  sets = new RecordSets(service, zone);
  await answerOf(service.call('post', `/v2/zones/${zone.id}/shares`, { target_project_id: 'tenant-g' }), 201);
});
afterEach(() => audit(service.databaseFile));

const www = (): string => zone.at('www');
const change = (...changes: readonly object[]) =>
  answerOf(service.call('post', `/v1/domains/${zone.id}/changes`, { changes }));
const update = async (...updates: Parameters<Updater['update']>[1]['updates'] & object): Promise<void> =>
  expect(await updater.update(zone.name, { updates })).toBe('NOERROR');

/** Each makes 192.0.2.9 the only record of `www`, through an interface or an operation that sees no note of a set. */
const REPLACEMENTS: readonly [how: string, replace: () => Promise<unknown>][] = [
  ['a REPLACE of the PowerDNS API', () => powerdns.patch(zone.name, replaced(www(), 'A', ['192.0.2.9']))],
  [
    'an EXTEND and PRUNEs of the PowerDNS API',
    async () => {
      const one = (changetype: string, content: string) =>
        powerdns.patch(zone.name, { name: www(), type: 'A', ttl: 60, changetype, records: records([content]) });
      await one('EXTEND', '192.0.2.9');
      for (const content of ['192.0.2.1', '192.0.2.2']) await one('PRUNE', content);
    },
  ],
  [
    'a PUT of all sets through the PowerDNS API',
    async () => {
      const { rrsets } = await powerdns.zone(zone.name);
      const wanted = rrsets.map((set) => (set.type === 'A' ? { ...set, records: records(['192.0.2.9']) } : set));
      await powerdns.answer('put', `/zones/${zone.name}`, { rrsets: wanted }, 204);
    },
  ],
  ['an UPDATE that deletes the set and adds to it', () => update(remove(www(), 'A'), add(www(), 60, 'A', '192.0.2.9'))],
  [
    'UPDATEs one after the other',
    async () => {
      await update(add(www(), 60, 'A', '192.0.2.9'));
      await update(remove(www(), 'A', '192.0.2.1'), remove(www(), 'A', '192.0.2.2'));
    },
  ],
  [
    'a replacement in a change set of version 1',
    () => change({ action: 'replace', name: www(), type: 'A', records: [{ data: '192.0.2.9', ttl: 60 }] }),
  ],
  ['an import in replace mode', () => zone.import(`${www()} 60 IN A 192.0.2.9\n`, '?mode=replace')],
];

describe.each(REPLACEMENTS)('a set whose values are replaced by %s', (_, replace) => {
  it('13.2 keeps its description, id and time of creation', async () => {
    const made = await sets.make({ records: ['192.0.2.1', '192.0.2.2'], ttl: 60, description: NOTE });
    await replace();
    const now = await sets.now(made);
    expect(now).toMatchObject({ records: ['192.0.2.9'], description: NOTE, created_at: made.created_at });
    expect((await sets.list(`?description=${encodeURIComponent(NOTE)}`)).recordsets).toEqual([now]);
    expect(await sets.all()).toEqual([now]);
  });

  it('13.10 keeps the project that created it', async () => {
    const own = new RecordSets(guest, zone);
    const made = await own.make({ records: ['192.0.2.1', '192.0.2.2'], ttl: 60, description: NOTE });
    await replace();
    expect(await own.now(made)).toMatchObject({ records: ['192.0.2.9'], description: NOTE, project_id: 'tenant-g' });
  });

  it('13.2 is shown with the description of its oldest record, also in sets of version 1', async () => {
    await zone.newRecord({ data: '192.0.2.1', ttl: 60, description: NOTE });
    await zone.newRecord({ data: '192.0.2.2', ttl: 60 });
    await replace();
    expect((await sets.all()).map(({ description }) => description)).toEqual([NOTE]);
  });
});

describe.each(REPLACEMENTS.filter(([how]) => !/EXTEND|one after/.test(how)))('an expiring set and %s', (_, replace) => {
  it('14.5 has its new records expire when all of the old ones did', async () => {
    for (const data of ['192.0.2.1', '192.0.2.2']) await zone.newRecord({ data, ttl: 60, expires_at: EXPIRY });
    await replace();
    expect(await expiriesIn()).toEqual([['192.0.2.9', EXPIRY]]);
  });

  it('14.5 has its new records stay where an old one did', async () => {
    await zone.newRecord({ data: '192.0.2.1', ttl: 60 });
    await zone.newRecord({ data: '192.0.2.2', ttl: 60, expires_at: EXPIRY });
    await replace();
    expect(await expiriesIn()).toEqual([['192.0.2.9', null]]);
  });
});

async function expiriesIn(): Promise<unknown[]> {
  const found = (await zone.records()) as unknown as (RecordBody & { readonly expires_at: string | null })[];
  return found.map(({ data, expires_at: expiresAt }) => [data, expiresAt]);
}

const shown = async (set: RecordSetBody): Promise<string | null> => (await sets.now(set)).description;

describe('the description of a set', () => {
  it('13.2 survives a revert of all its values', async () => {
    const made = await sets.make({ records: ['192.0.2.1'], ttl: 60 });
    const { serial } = await zone.now();
    await answerOf(sets.update(made.id, { description: NOTE, records: ['192.0.2.9'] }), 202);
    await powerdns.patch(zone.name, replaced(www(), 'A', ['192.0.2.10']));
    await answerOf(service.call('post', `/v1/domains/${zone.id}/revert`, { serial }));
    expect(await sets.now(made)).toMatchObject({ records: ['192.0.2.1'], description: NOTE });
  });

  it('13.2 survives the deletion of its oldest record and the creation of another in one change set', async () => {
    const made = await sets.make({ records: ['192.0.2.1'], description: NOTE });
    const [{ id } = { id: '' }] = await zone.records();
    await change({ action: 'delete', id }, { action: 'create', record: { name: www(), type: 'A', data: '192.0.2.9' } });
    expect(await sets.now(made)).toMatchObject({ records: ['192.0.2.9'], description: NOTE });
  });

  it('13.2 is cleared and changed by version 2, after a replacement too', async () => {
    const made = await sets.make({ records: ['192.0.2.1'], description: NOTE });
    await powerdns.patch(zone.name, replaced(www(), 'A', ['192.0.2.9']));
    const { serial } = await zone.now();
    const read = await sets.now(made);
    const back = { name: read.name, type: read.type, records: read.records, ttl: read.ttl, description: NOTE };
    expect(await bodyOf(sets.update(made.id, back), 202)).toMatchObject({ version: read.version });
    expect((await zone.now()).serial).toBe(serial);
    expect(await bodyOf(sets.update(made.id, { description: 'other' }), 202)).toMatchObject({ description: 'other' });
    expect(await shown(made)).toBe('other');
    await answerOf(sets.update(made.id, { description: null }), 202);
    expect(await shown(made)).toBeNull();
    await powerdns.patch(zone.name, replaced(www(), 'A', ['192.0.2.10']));
    expect(await shown(made)).toBeNull();
  });

  it('13.2 follows version 1 when that changes or replaces the record descriptions', async () => {
    const made = await sets.make({ records: ['192.0.2.1'], description: NOTE });
    const [{ id } = { id: '' }] = await zone.records();
    await answerOf(zone.update(id, { description: 'by version 1' }));
    expect(await shown(made)).toBe('by version 1');
    const replacing = (description: string | null) =>
      change({ action: 'replace', name: www(), type: 'A', records: [{ data: '192.0.2.9', description }] });
    await replacing('replaced');
    expect(await shown(made)).toBe('replaced');
    await replacing(null);
    expect(await shown(made)).toBeNull();
  });

  it('9.1 stays with a record that a replacement keeps without saying anything of it', async () => {
    await zone.newRecord({ data: '192.0.2.1', description: 'mine', expires_at: EXPIRY });
    await change({ action: 'replace', name: www(), type: 'A', records: [{ data: '192.0.2.1' }] });
    expect(await zone.records()).toMatchObject([{ description: 'mine', expires_at: EXPIRY, version: 1 }]);
    const cleared = { data: '192.0.2.1', description: null, expires_at: null };
    await change({ action: 'replace', name: www(), type: 'A', records: [cleared] });
    expect(await zone.records()).toMatchObject([{ description: null, expires_at: null, version: 2 }]);
  });

  it('13.2, 14.5 version 2 leaves the time to expire where it replaces all values', async () => {
    await zone.newRecord({ data: '192.0.2.1', expires_at: EXPIRY });
    const [made] = await sets.all();
    await answerOf(sets.update(made?.id ?? '', { records: ['192.0.2.9'] }), 202);
    expect(await expiriesIn()).toEqual([['192.0.2.9', EXPIRY]]);
  });
});
