import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, it } from '@jest/globals';
import { DataSource } from 'typeorm';
import { answerOf, bodyOf } from '../support/answers.js';
import type { HistoryBody } from '../support/bodies.js';
import { writerOptionsOf } from '../support/data-source.js';
import { newDomain } from '../support/domain.js';
import { databaseFileIn, removeTestData, startTestService } from '../support/service.js';

let directory: string;
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'zonewright-former-'));
});
afterEach(() => removeTestData(directory));

/** Takes back all migrations down to that one, and itself. */
async function undoDownTo(name: string): Promise<void> {
  const dataSource = await new DataSource(await writerOptionsOf(databaseFileIn(directory))).initialize();
  const isThere = async (): Promise<boolean> => {
    const rows: { name: string }[] = await dataSource.query('SELECT name FROM migrations');
    return rows.some((row) => row.name === name);
  };
  while (await isThere()) await dataSource.undoLastMigration({ transaction: 'each' });
  await dataSource.destroy();
}

it('11.1 domains that were deleted before the journal said whose they were are found by name', async () => {
  const before = await startTestService({}, directory);
  const member = before.as('tenant-m');
  const domain = await newDomain(member, 'Former.example.');
  await answerOf(member.call('delete', `/v1/domains/${domain.id}`));
  await before.stop();
  await undoDownTo('FindFormerZones1763820000000');
  const after = await startTestService({}, directory);
  const query = '/v1/history?domain=former.EXAMPLE.';
  const { history } = await bodyOf<HistoryBody>(after.as('tenant-m').call('get', query));
  expect(history.map(({ action }) => action)).toEqual(['domain.delete', 'domain.create']);
  await answerOf(after.as('tenant-x').call('get', query), 404);
  await after.stop();
});
