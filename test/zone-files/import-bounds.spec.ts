import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { audit } from '../support/audit.js';
import { refusalOf } from '../support/answers.js';
import { startTestService, type TestService } from '../support/service.js';
import { newDomain } from '../support/domain.js';

const RECORDS = 500;

let service: TestService;

beforeAll(async () => {
  service = await startTestService({
    SERVICE_API__MAX_BODY_SIZE: '64 KiB',
    SERVICE_API__MAX_IMPORTS_PER_TENANT: '1',
    DEFAULT__QUOTA_ZONE_RECORDS: String(RECORDS),
  });
});
afterAll(async () => {
  audit(service.databaseFile);
  await service.stop();
});

it('15.3 $GENERATE output counts against the quota, whether or not the records are valid (attack case 6)', async () => {
  const zone = await newDomain(service);
  const file = (count: number) => `$GENERATE 1-${count} h$ A 192.0.2.1\n`;
  await refusalOf(zone.sendFile(file(RECORDS + 1), '?dry_run=true'), 413, 'over_quota');
  await refusalOf(zone.sendFile(file(RECORDS / 2) + file(RECORDS / 2 + 1)), 413, 'over_quota');
  expect(await zone.import(file(RECORDS))).toMatchObject({ created: RECORDS });
});

it('15.3 $GENERATE output counts like written lines', async () => {
  const zone = await newDomain(service);
  const file = `$GENERATE 1-400 h$ TXT ${'x'.repeat(200)}\n`;
  await refusalOf(zone.sendFile(file), 413, 'payload_too_large');
  expect(await zone.import(file.replace('400', '200'))).toMatchObject({ created: 200 });
});

it('15.1 one import of a tenant is under way where the option says so', async () => {
  const zones = await Promise.all(Array.from({ length: 4 }, () => newDomain(service)));
  const answers = await Promise.all(zones.map((zone) => zone.sendFile(`$GENERATE 1-${RECORDS} h$ A 192.0.2.1\n`)));
  const refused = answers.filter(({ status }) => status === 503);
  expect(refused.length).toBeGreaterThan(0);
  for (const { headers } of refused) expect(Number(headers['retry-after'])).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 200).length).toBe(zones.length - refused.length);
});

it('15.2 a file that says that something was left out is taken in when that is meant', async () => {
  const zone = await newDomain(service);
  const file = `h A 192.0.2.1\n; left out: ${zone.at('bad')} A record 019a0000-0000-7000-8000-000000000000\n`;
  await refusalOf(zone.sendFile(file), 400, 'invalid_object');
  expect(await zone.import(file, '?incomplete=true')).toMatchObject({ created: 1 });
});
