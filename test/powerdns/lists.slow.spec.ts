import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PowerDnsClient, type PowerDnsZone, WITH_POWERDNS } from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let client: PowerDnsClient;

beforeAll(async () => {
  service = await startTestService({ ...WITH_POWERDNS, DEFAULT__QUOTA_ZONES: '2000' });
  client = new PowerDnsClient(service);
});
afterAll(() => service.stop());

describe('a list of more zones than are read at a time', () => {
  it('21.4 has each zone once', async () => {
    const zones = Array.from({ length: 1100 }, (_, at) => `z${at}.many.example.`);
    const make = async (name: string): Promise<unknown> =>
      client.answer('post', '/zones?rrsets=false', { name, kind: 'Native', nameservers: [] }, 201);
    for (let at = 0; at < zones.length; at += 50) await Promise.all(zones.slice(at, at + 50).map(make));
    // One of them has a longer description than others.
    const masters = Array.from({ length: 100 }, (_, at) => `2001:db8::${at}`);
    await client.answer('put', '/zones/z700.many.example.', { account: 'x'.repeat(255), masters }, 204);
    const listed = await client.json<PowerDnsZone[]>('get', '/zones?dnssec=false');
    expect(listed.map(({ name }) => name).sort()).toEqual([...zones].sort());
    expect(listed.find(({ name }) => name === 'z700.many.example.')).toMatchObject({
      account: 'x'.repeat(255),
      masters,
    });
    expect(listed.filter(({ account }) => account === '')).toHaveLength(zones.length - 1);
  });
});
