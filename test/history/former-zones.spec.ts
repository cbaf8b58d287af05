import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { answerOf, bodyOf } from '../support/answers.js';
import type { HistoryBody } from '../support/bodies.js';
import { newDomain } from '../support/domain.js';
import { removeTestData, startTestService } from '../support/service.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-former-'));
});
afterEach(() => removeTestData(directory));

it('11.1 a deleted domain is found by name after a restart', async () => {
  const before = await startTestService({}, directory);
  const member = before.as('tenant-m');
  const domain = await newDomain(member, 'Former.example.');
  await answerOf(member.call('delete', `/v1/domains/${domain.id}`));
  await before.stop();
  const after = await startTestService({}, directory);
  const query = '/v1/history?domain=former.EXAMPLE.';
  const { history } = await bodyOf<HistoryBody>(after.as('tenant-m').call('get', query));
  expect(history.map(({ action }) => action)).toEqual(['domain.delete', 'domain.create']);
  await answerOf(after.as('tenant-x').call('get', query), 404);
  await after.stop();
});
