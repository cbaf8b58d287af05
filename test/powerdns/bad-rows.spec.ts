import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PowerDnsClient, type PowerDnsZone, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';
import { executeIn } from '../support/stored.js';

let service: TestService;
let client: PowerDnsClient;

beforeAll(async () => {
  service = await startTestService(WITH_POWERDNS);
  client = new PowerDnsClient(service);
});
afterAll(() => service.stop());

describe('a zone with a row that cannot be read', () => {
  it.each([
    ['of an unknown type', "type = 'NONSENSE', rdata = 'zz'"],
    ['with RDATA that is none', "data = 'text without quotes', rdata = 'ff'"],
  ])('21.5 is shown, listed and searched without the record %s', async (_, damage) => {
    const { id, name } = await client.newZone({});
    await client.patch(
      id,
      replaced(`bad.${name}`, 'TXT', ['"bad"']),
      replaced(`good.${name}`, 'TXT', ['"good"']),
      replaced(`www.${name}`, 'A', ['192.0.2.1']),
    );
    executeIn(service.databaseFile, `UPDATE records SET ${damage} WHERE LOWER(name) = 'bad.${name}'`);
    const names = (zone: PowerDnsZone): readonly string[] => zone.rrsets.map(({ name: owner }) => owner);
    expect(names(await client.zone(id))).toEqual(expect.arrayContaining([name, `good.${name}`, `www.${name}`]));
    expect(names(await client.zone(id))).not.toContain(`bad.${name}`);
    expect(await client.json('get', `/zones?zone=${name}`)).toHaveLength(1);
    expect(await client.json('get', `/search-data?q=good.${name}`)).toHaveLength(1);
    // Other record sets still change.
    await client.patch(id, replaced(`www.${name}`, 'A', ['192.0.2.2']));
  });
});
