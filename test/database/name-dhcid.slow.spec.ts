import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, newDomain } from '../support/domain.js';
import { removeTestData, startTestService, type TestService } from '../support/service.js';
import { executeIn } from '../support/stored.js';

const NUMBERED = String.raw`\\# 3 000102`;

let directory: string;
let service: TestService;
beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-'));
  service = await startTestService({}, directory);
});
afterAll(async () => {
  await service.stop();
  await removeTestData(directory);
});

it('5.9, 18.6 what was stored as TYPE49 is DHCID, in the records and in their history', async () => {
  const domain = await newDomain(service);
  const made = await domain.newRecord({ name: domain.at('h'), type: 'DHCID', data: 'AAEC' });
  await service.stop();
  // As a release left it that had no name for the type.
  executeIn(
    service.databaseFile,
    `UPDATE records SET type = 'TYPE49', data = '${NUMBERED.slice(1)}' WHERE type = 'DHCID';
     UPDATE record_sets SET type = 'TYPE49' WHERE type = 'DHCID';
     UPDATE journal SET after = REPLACE(REPLACE(after, '"type":"DHCID"', '"type":"TYPE49"'), '"data":"AAEC"', '"data":"${NUMBERED}"');
     DELETE FROM migrations WHERE name = 'NameDhcid1763960002000'`,
  );
  service = await startTestService({}, directory);
  const again = domainOf(service, await bodyOf<DomainBody>(service.call('get', `/v1/domains/${domain.id}`)));
  expect(await bodyOf(again.get(made.id))).toMatchObject({ type: 'DHCID', data: 'AAEC' });
  const { history } = await bodyOf<{ history: { after: object | null }[] }>(
    service.call('get', `/v1/domains/${domain.id}/history`),
  );
  expect(history[0]?.after).toMatchObject({ type: 'DHCID', data: 'AAEC' });
  expect(await again.export()).toContain('DHCID\tAAEC');
});
