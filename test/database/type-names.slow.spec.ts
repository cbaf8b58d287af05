import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { bodyOf } from '../support/answers.js';
import type { DomainBody } from '../support/bodies.js';
import { domainOf, newDomain } from '../support/domain.js';
import { removeTestData, startTestService, type TestService } from '../support/service.js';
import { executeIn } from '../support/stored.js';

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

it('5.12, 18.6 records that were stored by the number of a type have its name, as their history has', async () => {
  const domain = await newDomain(service);
  const made = await domain.newRecord({ name: domain.at('h'), type: 'NSAP', data: String.raw`\# 2 4700` });
  await service.stop();
  // As a release left it that had no name for the type.
  executeIn(
    service.databaseFile,
    String.raw`UPDATE records SET type = 'TYPE22', data = '\# 2 4700' WHERE type = 'NSAP';
     UPDATE record_sets SET type = 'TYPE22' WHERE type = 'NSAP';
     UPDATE journal SET after = REPLACE(REPLACE(after, '"type":"NSAP"', '"type":"TYPE22"'), '0x4700', '\\# 2 4700');
     DELETE FROM migrations WHERE name = 'ExpandTypeNames1764050000000'`,
  );
  service = await startTestService({}, directory);
  const again = domainOf(service, await bodyOf<DomainBody>(service.call('get', `/v1/domains/${domain.id}`)));
  const read = { type: 'NSAP', data: String.raw`\# 2 4700` };
  expect(await bodyOf(again.get(made.id))).toMatchObject(read);
  const { history } = await bodyOf<{ history: { after: object | null }[] }>(
    service.call('get', `/v1/domains/${domain.id}/history`),
  );
  expect(history[0]?.after).toMatchObject(read);
  expect(await again.export()).toContain('TYPE22\t\\# 2 4700');
});
