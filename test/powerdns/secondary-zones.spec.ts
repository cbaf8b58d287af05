import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { PowerDnsClient, type PowerDnsZone, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { startTestService, type TestService } from '../support/service.js';

let service: TestService;
let client: PowerDnsClient;

beforeAll(async () => {
  const names = { SERVICE_MDNS__ENABLED: 'True', SERVICE_MDNS__LISTEN: '127.0.0.1:0' };
  service = await startTestService({ ...WITH_POWERDNS, ...names, SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.0/8' });
  client = new PowerDnsClient(service);
});
afterAll(() => service.stop());

describe('a zone of the kind Slave', () => {
  it('21.4, 13.11 is a secondary zone, with nothing in it until it has come from a master', async () => {
    const masters = ['127.0.0.2'];
    const zone = await client.newZone({ kind: 'secondary', masters, account: 'team', nameservers: undefined });
    expect(zone).toMatchObject({ kind: 'Slave', masters, account: 'team', serial: 0, rrsets: [] });
    const [listed] = await client.json<PowerDnsZone[]>('get', `/zones?zone=${zone.name}`);
    expect(listed).toMatchObject({ kind: 'Slave', masters });
    expect(await client.json('put', `/zones/${zone.id}/axfr-retrieve`)).toEqual({
      result: `Added retrieval request for '${zone.name}' from primary 127.0.0.2`,
    });
    await client.answer('put', `/zones/${zone.id}`, { kind: 'Slave', masters: ['127.0.0.3'], account: 'other' }, 204);
    expect(await client.zone(zone.id)).toMatchObject({ masters: ['127.0.0.3'], account: 'other' });
  });

  it('21.4 is that from its beginning, and its records are not for clients to change', async () => {
    const { id, name } = await client.newZone({ kind: 'Slave', masters: ['127.0.0.2'], nameservers: undefined });
    const change = { rrsets: [replaced(`www.${name}`, 'A', ['192.0.2.1'])] };
    expect(await client.refusal('patch', `/zones/${id}`, change)).toContain('secondary zone');
    await client.refusal('put', `/zones/${id}`, { kind: 'Native' });
    const primary = await client.newZone();
    await client.refusal('put', `/zones/${primary.id}`, { kind: 'Slave', masters: ['127.0.0.2'] });
    const filled = { name: 'filled.example.org.', kind: 'Slave', masters: ['127.0.0.2'] };
    await client.refusal('post', '/zones', { ...filled, nameservers: ['ns.example.net.'] });
  });
});
