import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { answerOf, bodyOf, expectStatus } from '../support/answers.js';
import { freshName, newDomain } from '../support/domain.js';
import { addressRecord, dnsAnswer, HostileMaster, record, soaRecord, zoneOf } from '../support/hostile-master.js';
import { type Client, startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';
import type { ZoneBody } from '../support/v2.js';

const PER_MINUTE = 60;
const PATIENCE = 20_000;

let serial = 1;
let service: TestService;
let master: HostileMaster;
beforeAll(async () => {
  service = await startTestService({
    SERVICE_API__CHANGES_PER_MINUTE: String(PER_MINUTE),
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__ALLOW_MASTERS: '127.0.0.1',
  });
  master = await HostileMaster.start({
    soa: (query) => dnsAnswer(query, [soaRecord(zoneOf(query), serial)]),
    axfr: (query) => {
      const zone = zoneOf(query);
      const soa = soaRecord(zone, serial);
      const texts = Array.from({ length: 2 * PER_MINUTE }, (_, at) =>
        record(`t${at}.${zone}`, 16, Buffer.from(`\x03${String(serial).padStart(3, '0')}`)),
      );
      return [dnsAnswer(query, [soa, addressRecord(`www.${zone}`, 1), ...texts, soa])];
    },
  });
});
afterAll(async () => {
  await service.stop();
  master.stop();
});

class SecondaryZone {
  private constructor(
    private readonly tenant: Client,
    private readonly id: string,
  ) {}

  static async newOf(tenant: string): Promise<SecondaryZone> {
    const caller = service.as(tenant);
    const body = { name: freshName(), type: 'SECONDARY', masters: [master.address] };
    const { id } = await bodyOf<ZoneBody>(caller.call('post', '/v2/zones', body), 202);
    return new SecondaryZone(caller, id);
  }

  read(): Promise<ZoneBody> {
    return bodyOf<ZoneBody>(this.tenant.call('get', `/v2/zones/${this.id}`));
  }

  async refresh(): Promise<void> {
    await answerOf(this.tenant.call('post', `/v2/zones/${this.id}/tasks/xfr`), 202);
  }

  async has(wanted: number): Promise<void> {
    await until(async () => (await this.read()).serial === wanted, PATIENCE);
  }
}

describe('the rate of changes that masters send', () => {
  it('8.7 is as high again: zones wait for it without an error, and other tenants do not wait', async () => {
    const zone = await SecondaryZone.newOf('busy');
    await zone.has(1);
    serial = 2;
    await zone.refresh();
    await zone.has(2);
    serial = 3;
    await zone.refresh();
    const other = await SecondaryZone.newOf('calm');
    await other.has(3);
    const waiting = await zone.read();
    expect(waiting).toMatchObject({ serial: 2, status: 'ACTIVE' });
    expect(waiting).not.toHaveProperty('message');
    const domain = await newDomain(service.as('busy'));
    expectStatus(await domain.create({ name: domain.at('www'), type: 'A', data: '192.0.2.1' }), 200);
  });
});
