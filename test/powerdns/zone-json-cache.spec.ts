import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { contentsOf, PowerDnsClient, type PowerDnsZone, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let client: PowerDnsClient;

beforeAll(async () => {
  const room = { DEFAULT__QUOTA_ZONE_RECORDSETS: '4000', DEFAULT__QUOTA_ZONE_RECORDS: '6000' };
  service = await startTestService({ ...WITH_POWERDNS, ...room });
  client = new PowerDnsClient(service);
});
afterAll(() => service.stop());

/** The visible zone before and after an action, twice each. */
async function shownAfter(id: string, change: () => Promise<unknown>): Promise<PowerDnsZone> {
  const before = await client.zone(id);
  expect(await client.zone(id)).toEqual(before);
  await change();
  const after = await client.zone(id);
  expect(after).not.toEqual(before);
  expect(await client.zone(id)).toEqual(after);
  return after;
}

describe('a zone that is asked for again and again', () => {
  it('21.5 shows the current zone after every kind of change', async () => {
    const { id: uuid, name } = await newDomain(service);
    const { id } = await client.zone(name);
    const www = `www.${name}`;
    const comments = [{ content: 'c', account: 'a', modified_at: 1 }];
    await shownAfter(id, () => client.patch(id, replaced(www, 'A', ['192.0.2.1'])));
    await shownAfter(id, () => client.patch(id, { name: www, type: 'A', changetype: 'REPLACE', comments }));
    await shownAfter(id, () => client.patch(id, { name: www, type: 'A', changetype: 'REPLACE', comments: [] }));
    const disabled = { records: [{ content: '192.0.2.1', disabled: true }] };
    await shownAfter(id, () => client.patch(id, replaced(www, 'A', [], disabled)));
    await shownAfter(id, () => client.patch(id, { name: www, type: 'A', changetype: 'DELETE' }));
    await shownAfter(id, () => client.patch(id, { name, type: 'SOA', changetype: 'REPLACE', comments }));
    await shownAfter(id, () => client.answer('put', `/zones/${id}`, { account: 'team' }, 204));
    const own = `/v1/domains/${uuid}`;
    await shownAfter(id, () => service.call('put', own, { ttl: 77 }));
    await shownAfter(id, () => service.call('post', `${own}/records`, { name: www, type: 'A', data: '192.0.2.9' }));
  });

  it('21.5 is whole where it has more sets than are held in memory', async () => {
    const { id, name } = await client.newZone();
    const text = `"${'x'.repeat(250)}"`;
    const sets = Array.from({ length: 2500 }, (_, at) => replaced(`h${at}.${name}`, 'TXT', [text, `"${at}"`]));
    await client.patch(id, ...sets);
    const read = await Promise.all([client.zone(id), client.zone(id), client.zone(id)]);
    for (const { rrsets } of read) expect(rrsets).toHaveLength(sets.length + 1);
    const after = await shownAfter(id, () => client.patch(id, replaced(`h7.${name}`, 'TXT', ['"new"'])));
    expect(contentsOf(after.rrsets.find((set) => set.name === `h7.${name}`))).toEqual(['"new"']);
  });

  it('21.5 differs for another tenant, and is missing after deletion', async () => {
    const { id } = await client.newZone();
    await client.zone(id);
    await new PowerDnsClient(service, 'tenant-b').refusal('get', `/zones/${id}`, undefined, 404);
    await client.answer('delete', `/zones/${id}`, undefined, 204);
    await client.refusal('get', `/zones/${id}`, undefined, 404);
    await client.newZone({ name: id, nameservers: ['ns1.example.net.'] });
    expect((await client.zone(id)).rrsets.map(({ type }) => type)).toEqual(['SOA', 'NS']);
  });
});
