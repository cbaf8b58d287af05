import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, refusalOf } from '../support/answers.js';
import { newDomain, type TestDomain } from '../support/domain.js';
import { PowerDnsClient, replaced, WITH_POWERDNS } from '../support/powerdns.js';
import { add, startUpdateService, type UpdateService } from '../support/updates.js';

const RECORD = { name: '.', type: 'A', data: '192.0.2.1' };

let service: UpdateService;
let zone: TestDomain;

beforeAll(async () => {
  service = await startUpdateService({ ...WITH_POWERDNS });
  zone = await newDomain(service);
});
afterAll(() => service.stop());

describe('a record at the root', () => {
  it('4.3 is refused in every other zone by version 1, alone and in change sets', async () => {
    const { id } = await zone.newRecord();
    expect((await zone.create(RECORD)).status).toBe(400);
    expect((await zone.update(id, { name: '.' })).status).toBe(400);
    const changes = [{ action: 'create', ...RECORD }];
    expect((await service.call('post', `/v1/domains/${zone.id}/changes`, { changes })).status).toBe(400);
  });

  it('4.3 is refused in every other zone by version 2, the PowerDNS API and UPDATE', async () => {
    const set = { name: '.', type: 'A', records: ['192.0.2.1'] };
    expect((await service.call('post', `/v2/zones/${zone.id}/recordsets`, set)).status).toBe(400);
    const powerdns = new PowerDnsClient(service);
    const body = { rrsets: [replaced('.', 'A', ['192.0.2.1'])] };
    const { status } = await powerdns.call('patch', `/zones/${zone.name}`, body);
    expect(status).toBe(422);
    const updater = await service.newUpdater();
    expect(await updater.update(zone.name, { updates: [add('.', 60, 'A', '192.0.2.1')] })).toBe('NOTZONE');
  });

  it('15.1 is refused in a zone file without other records, and skipped in any other', async () => {
    await refusalOf(zone.sendFile('. 60 IN A 192.0.2.1\n'), 400, 'invalid_object');
    await answerOf(zone.sendFile('. 60 IN A 192.0.2.1\nin 60 IN A 192.0.2.1\n'));
    expect(await zone.export()).not.toMatch(/^\.\s/m);
  });
});
