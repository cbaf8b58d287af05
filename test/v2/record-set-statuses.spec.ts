import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import { newDomain } from '../support/domain.js';
import { type RecordSetBody, RecordSets } from '../support/record-sets.js';
import { Secondary } from '../support/secondary.js';
import { startTestService, type TestService } from '../support/service.js';
import { until } from '../support/until.js';

/** One name server, which has the serials that the test gives it. */
let server: Secondary;
let service: TestService;

beforeAll(async () => {
  server = await Secondary.start();
  service = await startTestService({
    SERVICE_MDNS__ENABLED: 'True',
    SERVICE_MDNS__LISTEN: '127.0.0.1:0',
    SERVICE_MDNS__SECONDARIES: server.address,
  });
});
afterAll(async () => {
  await service.stop();
  await server.stop();
});

it('13.3 each set is PENDING until the name server has the change that it came out of, and ACTIVE from then on', async () => {
  const zone = await newDomain(service);
  const sets = new RecordSets(service, zone);
  const has = (serial: number): void => void server.serials.set(zone.name, serial);
  const statusesOf = async (query = ''): Promise<string[]> =>
    (await sets.list(query)).recordsets.map(({ type, status, action }) => `${type} ${status} ${action}`);

  const first = await sets.make();
  expect(await sets.now(first)).toMatchObject({ status: 'PENDING', action: 'CREATE' });
  const { serial } = await zone.now();
  has(serial);
  await until(async () => (await sets.now(first)).status === 'ACTIVE');
  expect(await statusesOf()).toEqual(['SOA ACTIVE NONE', 'NS ACTIVE NONE', 'A ACTIVE NONE']);

  const second = await sets.make({ type: 'AAAA', records: ['2001:db8::1'] });
  const empty = await sets.make({ type: 'TXT', records: [] });
  const now = ['SOA PENDING UPDATE', 'NS PENDING UPDATE', 'A ACTIVE NONE', 'AAAA PENDING CREATE', 'TXT ACTIVE NONE'];
  expect(await statusesOf()).toEqual(now);
  expect(await statusesOf('?status=PENDING')).toEqual(now.filter((one) => one.includes('PENDING')));
  expect(await statusesOf('?status=active')).toEqual(now.filter((one) => one.includes('ACTIVE')));
  expect(await sets.now(empty)).toMatchObject({ status: 'ACTIVE' });
  has((await zone.now()).serial);
  await until(async () => (await sets.now(second)).status === 'ACTIVE');

  const updated = await bodyOf<RecordSetBody>(sets.update(first.id, { ttl: 60 }), 202);
  expect(updated).toMatchObject({ status: 'PENDING', action: 'UPDATE' });
  expect(await sets.now(first)).toEqual(updated);
  expect(await sets.now(second)).toMatchObject({ status: 'ACTIVE' });
  const { recordsets } = await bodyOf<{ recordsets: RecordSetBody[] }>(
    service.call('get', `/v2/recordsets?status=PEND*&name=${first.name}`),
  );
  expect(recordsets).toEqual([updated]);
  has((await zone.now()).serial);
  await until(async () => (await sets.now(first)).status === 'ACTIVE');
});
