import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { newDomain } from '../support/domain.js';
import { killAll, type ServiceProcess, startServiceProcess } from '../support/process.js';
import { clientsOf, environmentOf } from '../support/service.js';

let directory: string;
let service: ServiceProcess;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-built-'));
  service = await startServiceProcess(directory, environmentOf(directory));
});
afterEach(async () => {
  killAll(service);
  await service.ended;
  await rm(directory, { recursive: true });
});

// The compiler that builds the service tells Nest other types of parameters than the one that tests are run with.
it('9.1, 11.3 the build accepts change sets and reverts them', async () => {
  const client = clientsOf(service.url);
  const domain = await newDomain(client);
  const { serial } = await domain.now();
  const name = domain.at('www');
  const changes = [{ action: 'create', record: { name, type: 'A', data: '192.0.2.1' } }];
  const changed = await client.call('post', `/v1/domains/${domain.id}/changes`, { changes });
  expect([changed.status, changed.body.changes]).toMatchObject([200, [{ action: 'create', record: { name } }]]);
  const reverted = await client.call('post', `/v1/domains/${domain.id}/revert`, { serial });
  expect([reverted.status, reverted.body.changes]).toMatchObject([200, [{ action: 'delete', record: { name } }]]);
});
